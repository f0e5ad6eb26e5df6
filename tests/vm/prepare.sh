#!/bin/bash
# prepare.sh [CACHE_DIR]
# Makes what run.sh boots: a Debian kernel, unpacked, and an initramfs. Once per cache, some 15 seconds, and longer
# where the emulator must be installed; needs root and apt.
#
# Why a virtual machine: the controllers of a machine's cgroups live either in the unified tree (v2) or in the old
# hierarchies (v1), for all of its processes and until it is booted anew. A test host has one of the two; the other is
# proved in here.
#
#   CACHE_DIR                  default $OUTRIGGER_VM_CACHE, else /var/cache/outrigger-vm
#   OUTRIGGER_VM_KERNEL_DEB    a kernel package's file to take instead of the one that linux-image-amd64 names
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin
here=$(dirname "$(readlink -f "$0")")
cache=${1:-${OUTRIGGER_VM_CACHE:-/var/cache/outrigger-vm}}
modules=(virtio_pci 9pnet_virtio 9p overlay virtio_console zram)

# The stamp covers all that shapes the result, so that an edited recipe is never run with yesterday's initramfs.
stamp=$(cat "$here"/{prepare.sh,guest_init.sh,unpack_kernel.py} "${OUTRIGGER_VM_KERNEL_DEB:-/dev/null}" | sha256sum)
stamp=${stamp%% *}

is_ready() { [ -s "$cache/vmlinux" ] && [ -s "$cache/initrd" ] && [ "$(cat "$cache/stamp" 2>/dev/null)" = "$stamp" ]; }

install_tools() {
  local missing=() package
  for package in qemu-system-x86 busybox-static cpio kmod xz-utils zstd python3; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "vm: installing ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# linux-image-amd64 is an empty package that depends on the current kernel's.
current_kernel_package() { apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends:/ {print $2; exit}'; }

unpack_kernel_package() {
  local deb=${OUTRIGGER_VM_KERNEL_DEB:-} package
  if [ -z "$deb" ]; then
    package=$(current_kernel_package)
    [ -n "$package" ] || { apt-get update -qq; package=$(current_kernel_package); }
    [ -n "$package" ] || { echo "vm: apt knows no linux-image-amd64; add Debian's main to its sources" >&2; exit 1; }
    echo "vm: fetching $package" >&2
    mkdir "$work/deb"
    # Run as root on root's own directory: apt's unprivileged download user could not write there.
    (cd "$work/deb" && apt-get download -qq -o APT::Sandbox::User=root "$package") ||
      { apt-get update -qq; (cd "$work/deb" && apt-get download -qq -o APT::Sandbox::User=root "$package"); }
    deb=$(echo "$work"/deb/*.deb)
  fi
  dpkg -x "$deb" "$work/kernel"
  [ -d "$work/kernel/lib/modules" ] || ln -s usr/lib "$work/kernel/lib"
  version=$(ls "$work/kernel/lib/modules")
  depmod -b "$work/kernel" "$version"
}

# Lists a module's file and those it needs, in the order of loading.
module_files() { modprobe -d "$work/kernel" -S "$version" --show-depends "$1" | awk '/^insmod/ {print $2}'; }

make_initramfs() {
  local root=$work/initramfs module file name
  mkdir -p "$root"/{bin,modules,proc,sys,dev}
  cp /bin/busybox "$root/bin/"
  install -m 755 "$here/guest_init.sh" "$root/init"
  for module in "${modules[@]}"; do
    for file in $(module_files "$module"); do
      name=$(basename "${file%.xz}")
      [ ! -e "$root/modules/$name" ] || continue
      case $file in *.xz) xz -dc "$file" > "$root/modules/$name" ;; *) cp "$file" "$root/modules/$name" ;; esac
      echo "$name" >> "$root/modules/order"
    done
  done
  (cd "$root" && find . | cpio -o -H newc --quiet) > "$work/initrd"
}

mkdir -p "$cache"
exec 9> "$cache/lock"
flock 9
! is_ready || exit 0
install_tools
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
unpack_kernel_package
# The packed kernel would unpack itself in the guest, under emulation: half a minute. The plain ELF starts at once.
python3 "$here/unpack_kernel.py" "$work"/kernel/boot/vmlinuz-* "$work/vmlinux"
make_initramfs
rm -f "$cache/stamp"
mv "$work/vmlinux" "$work/initrd" "$cache/"
# All of them, for what the guest loads on demand.
rm -rf "$cache/modules"
mv "$work/kernel/lib/modules" "$cache/modules" 2>/dev/null || mv "$work/kernel/usr/lib/modules" "$cache/modules"
echo "$version" > "$cache/version"
echo "$stamp" > "$cache/stamp"
