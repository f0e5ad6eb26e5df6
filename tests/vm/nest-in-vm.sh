#!/bin/bash
# nest-in-vm.sh [WORD...]
# The auditor on unified cgroups (v2): its room that reads them, against the kernel, and the tests of tests/nest/ whose
# names hold one of the words; without any, those that ask the kernel something. See programs.sh for variables.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/programs.sh"
words=("$@")
[ ${#words[@]} -gt 0 ] || words=(test_causes test_incidents test_table.Json test_crashes.Crashes.test_it_was_away)

# shellcheck disable=SC2016  # for the guest's shell to expand
guest_script='
set -e
"$OUTRIGGER_BIN/probe_test" --gtest_brief=1
exec python3 tests/nest/run.py "$@"'
# Slow by emulation, so times are stretched.
"$here/run.sh" -d "$repo" -o "$out" -m 3072 -t "${OUTRIGGER_VM_SECONDS:-900}" -- env "${elsewhere[@]}" \
  OUTRIGGER_BIN="$bin" OUTRIGGER_TIME_SCALE="${OUTRIGGER_TIME_SCALE:-6}" OUTRIGGER_CAUSE_RUNS="${OUTRIGGER_CAUSE_RUNS:-2}" \
  OUTRIGGER_EXPECT_DRIVER=v2 bash -c "$guest_script" nest "${words[@]}"
