#!/bin/bash
# install-deps.sh LIST...   Installs the Debian packages that tools/packages/LIST.txt name and this machine lacks.
# Where nothing is missing it changes nothing, needs no root and no network.
set -euo pipefail
[ $# -gt 0 ] || { sed -n 2,3p "$0" | cut -c3- >&2; exit 2; }
lists=$(readlink -f "$(dirname "$0")")/packages

# Another package may stand for one that is named: a node that did not come from Debian brings its own npm.
provided=$(dpkg-query -W -f '${db:Status-Status} ${Provides}\n' | sed -n 's/^installed //p' | tr ',' '\n' | sed 's/(.*//; s/ //g')
is_there() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] || grep -qxF -- "$1" <<< "$provided"
}

missing=()
for list in "$@"; do
  [ -f "$lists/$list.txt" ] || { echo "install-deps.sh: there is no $lists/$list.txt" >&2; exit 2; }
  while read -r package _; do
    [[ -z $package || $package == \#* ]] && continue
    is_there "$package" || missing+=("$package")
  done < "$lists/$list.txt"
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "install-deps.sh: packages are missing, and installing them needs root. Run: sudo $0 $*" >&2
  printf '  %s\n' "${missing[@]}" >&2
  exit 1
fi
echo "installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# A machine that has just booted may be updating itself: wait for it.
options=(-qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
apt-get "${options[@]}" update
if ! apt-get "${options[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null; then
  echo "install-deps.sh: apt-get could not install ${missing[*]}; they are in Debian 12's main archive" >&2
  exit 1
fi
