#!/bin/bash
# attackers-in-vm.sh [--filter REGEX]
# The attackers of tests/attackers/ on unified cgroups (v2): the programs built on this machine, run in a virtual one.
#
#   OUTRIGGER_ATTACK_REPORT   a file for the table; and see programs.sh
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/programs.sh"

# In the guest. The crash helper is what distributions install: the kernel starts it for a core dump, as the whole
# machine's root.
# shellcheck disable=SC2016  # for the guest's shell to expand
guest_script='
set -e
export OUTRIGGER_CORE_WITNESS=/run/outrigger-crash-helper-ran
printf "#!/bin/sh\n: > %s\n" "$OUTRIGGER_CORE_WITNESS" > /run/crash-helper
chmod 755 /run/crash-helper
echo "|/run/crash-helper %p" > /proc/sys/kernel/core_pattern
exec python3 tests/kernel/run_attackers.py "$@"'

table=${OUTRIGGER_ATTACK_REPORT:-}
status=0
# Slow by emulation, so times are stretched; few at once, or two processors share their slowness among many.
"$here/run.sh" -d "$repo" -o "$out" -m 3072 -t "${OUTRIGGER_VM_SECONDS:-900}" -- env "${elsewhere[@]}" \
  OUTRIGGER_BIN="$bin" OUTRIGGER_TIME_SCALE="${OUTRIGGER_TIME_SCALE:-4}" OUTRIGGER_ATTACK_WORKERS=2 \
  OUTRIGGER_EXPECT_DRIVER=v2 OUTRIGGER_ATTACK_REPORT=/run/vm/attackers.md \
  bash -c "$guest_script" attackers "$@" || status=$?
if [ -n "$table" ] && [ -s "$out/attackers.md" ]; then cp "$out/attackers.md" "$table"; fi
exit $status
