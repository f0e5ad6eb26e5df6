#!/bin/bash
# run.sh [unit|deploy|stores|chaos|attackers|api|clients|nest|languages|conformance|cpython|vm ...]
# Every test there is, or the named parts of it, against the programs in build/bin (OUTRIGGER_BIN for others):
#   unit         gtest programs beside the sources, some of them on the running kernel
#   deploy       the files of deploy/, and the daemon with exactly the rights they give it
#   stores       the stores of SQL and queue servers, against servers of their own that are frozen and killed
#   chaos        databases, queues, disks, daemons and jailers that die: a row and a result for every job
#   attackers    hostile programs in real jails on this host's cgroups: built for each, and primed
#   api          the contract and the reported faults, through the REST interface and the command line
#   clients      our clients in Python and TypeScript, and the APIs of others through clients that others wrote:
#                Piston, Judge0, Model Context Protocol
#   nest         the auditor: its table, incidents, causes of death, ledgers, ceiling, and what dies meanwhile
#   languages    the languages built on demand, and compiling
#   conformance  programs in each language, bare and by every strategy: the same to the byte
#   cpython      CPython's own regression tests, in jails and bare
#   vm           the attackers and the auditor once more, on unified cgroup v2 in a virtual machine
# Exit status 0 only if all of it passed.
set -uo pipefail
repo=$(readlink -f "$(dirname "$0")/..")
build=${OUTRIGGER_BUILD:-$repo/build}
export OUTRIGGER_BIN=${OUTRIGGER_BIN:-$build/bin}
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(unit deploy stores chaos attackers api clients nest languages conformance cpython vm)

run_stores() {
  local status=0
  for runner in "$repo"/tests/stores/run_*.py; do python3 "$runner" || status=1; done
  return $status
}

run_part() {
  case $1 in
    unit) ctest --test-dir "$build" --output-on-failure --no-tests=error -j 2 ;;
    deploy) python3 "$repo/tests/deploy/run.py" ;;
    stores) run_stores ;;
    chaos) python3 "$repo/tests/chaos/run.py" ;;
    attackers) python3 "$repo/tests/kernel/test_harness.py" && python3 "$repo/tests/kernel/run_attackers.py" --cold &&
      python3 "$repo/tests/kernel/run_attackers.py" ;;
    api) python3 "$repo/tests/api/run.py" ;;
    clients) python3 "$repo/tests/clients/run.py" ;;
    nest) python3 "$repo/tests/nest/run.py" ;;
    languages) python3 "$repo/tests/languages/run.py" ;;
    conformance) python3 "$repo/tests/conformance/run.py" ;;
    cpython) python3 "$repo/tests/cpython/run.py" ;;
    vm) "$repo/tests/vm/attackers-in-vm.sh" && "$repo/tests/vm/nest-in-vm.sh" ;;
    *) echo "run.sh: no part is named '$1' (unit, deploy, stores, chaos, attackers, api, clients, nest, languages, conformance, cpython, vm)" >&2; return 2 ;;
  esac
}

failed=()
summary=()
for part in "${parts[@]}"; do
  echo "== $part"
  started=$SECONDS
  run_part "$part" || failed+=("$part")
  summary+=("$part: $((SECONDS - started)) s")
done
printf '%s\n' "== ${summary[*]/%/;}"
if [ ${#failed[@]} -gt 0 ]; then
  echo "== FAILED: ${failed[*]}"
  exit 1
fi
echo "== all passed"
