# shellcheck shell=bash
# Sourced by those that run tests of the built programs in the machine: finds what they share.
#   OUTRIGGER_BIN             the programs' directory (default build/bin)
#   OUTRIGGER_VM_OUT_DIR      a directory for the machine's console log (default: a fresh one, removed on success)
# Sets here, repo, bin, out, and elsewhere: variables for `env` that say where images and runtimes lie.
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
repo=$(readlink -f "$here/../..")
bin=$(readlink -f "${OUTRIGGER_BIN:-$repo/build/bin}")
[ -x "$bin/outriggerd" ] || { echo "vm: $bin/outriggerd is not there: run \`make build\`" >&2; exit 1; }
out=${OUTRIGGER_VM_OUT_DIR:-}
if [ -z "$out" ]; then
  out=$(mktemp -d /tmp/outrigger-vm.XXXXXX)
  trap '[ $? -ne 0 ] || rm -rf "$out"' EXIT
fi
mkdir -p "$out"
# shellcheck disable=SC2034  # for those who source this
elsewhere=()
for name in OUTRIGGER_IMAGES_DIR OUTRIGGER_RUNTIMES_DIR; do
  [ -z "${!name:-}" ] || elsewhere+=("$name=${!name}")
done
