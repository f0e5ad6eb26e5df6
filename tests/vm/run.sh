#!/bin/bash
# run.sh [-d DIR] [-o OUT] [-t SECONDS] [-m MEM_MB] [-c CPUS] [-w SWAP_MB] -- COMMAND [ARGS...]
# Boots a Debian kernel in software emulation and runs COMMAND there as root, in DIR (default: the current directory).
#
# The guest sees the host's / at the same paths, changes stay in its memory. Its controllers (memory, cpu, pids) are in
# the unified cgroup tree at /sys/fs/cgroup. OUT is the one directory shared for writing, $OUTRIGGER_VM_OUT in there.
# COMMAND's output is streamed; the exit status is COMMAND's own, 124 when SECONDS (300) passed, 125 when the machine
# failed. A machine whose kernel locks up is booted again, twice at most, and COMMAND begins anew: two threads of the
# emulator now and then lose an interrupt between them, and both processors spin for ever. It is said when it happens;
# a command that locks the kernel up by itself does so three times, and fails.
# Emulation makes CPU work about twenty times slower: scale wall-clock limits, keep loops small.
set -uo pipefail
here=$(dirname "$(readlink -f "$0")")
cache=${OUTRIGGER_VM_CACHE:-/var/cache/outrigger-vm}
dir=$PWD out='' mem=2048 cpus=2 seconds=300 swap=''
usage() { sed -n '2,10s/^# //p' "$0" >&2; exit 2; }
while getopts d:o:m:c:t:w: option; do
  case $option in
    d) dir=$(readlink -f "$OPTARG") ;; o) out=$OPTARG ;; m) mem=$OPTARG ;; c) cpus=$OPTARG ;;
    t) seconds=$OPTARG ;; w) swap=$OPTARG ;; *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
"$here/prepare.sh" "$cache" || { echo "vm: prepare.sh failed" >&2; exit 125; }

keep=1
[ -n "$out" ] || { keep=0; out=$(mktemp -d /tmp/outrigger-vm.XXXXXX); }
mkdir -p "$out"
out=$(readlink -f "$out")
rm -f "$out"/{rc,console.log,qemu.err,guest.sh}

# What the guest runs once its root stands. A status file, because a machine's power-off has no exit status; a virtio
# port for the output, because the emulated serial line is slow.
write_guest_script() {
  cat <<'SCRIPT'
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb
export OUTRIGGER_VM=1 OUTRIGGER_VM_OUT=/run/vm
port=/dev/console
tries=0
while [ $tries -lt 100 ]; do
  for p in /sys/class/virtio-ports/*; do
    [ "$(cat "$p/name" 2>/dev/null)" = outrigger ] && [ -c "/dev/${p##*/}" ] && port=/dev/${p##*/}
  done
  [ "$port" = /dev/console ] || break
  tries=$((tries + 1)); sleep 0.05
done
SCRIPT
  printf 'cd %q && (' "$dir"
  printf '%q ' "${command[@]}"
  # shellcheck disable=SC2016  # for the guest's shell to expand
  printf ') </dev/null >$port 2>&1\n'
  echo 'echo $? > /run/vm/rc.tmp; mv /run/vm/rc.tmp /run/vm/rc; sync; exec /dev/busybox poweroff -f'
}
command=("$@")
write_guest_script > "$out/guest.sh"

# syscall.x32: Debian's kernel has that door but keeps it shut unless asked, and an attacker must find it open.
boot="console=ttyS0 quiet loglevel=4 panic=-1 tsc=reliable no_timer_check mitigations=off nokaslr random.trust_cpu=on"
boot="$boot cgroup_no_v1=all cryptomgr.notests lpj=4000000 syscall.x32=y vm.modules=$cache/modules"
# A processor that does not come out of the kernel for a minute (twice the threshold) never will: the kernel panics, and
# with panic=-1 and -no-reboot the emulator ends.
boot="$boot watchdog_thresh=30 softlockup_panic=1 softlockup_all_cpu_backtrace=1"
boot="$boot ${swap:+vm.swap=$swap}"
exec 3<> <(:)  # a standard input that never ends: its end would close the port and block the guest
run_machine() {
  timeout -k 5 "$seconds" qemu-system-x86_64 -accel tcg,thread=multi,tb-size=512 -M q35 -cpu max -smp "$cpus" -m "$mem" \
    -nodefaults -no-user-config -display none -no-reboot \
    -kernel "$cache/vmlinux" -initrd "$cache/initrd" -append "$boot" \
    -serial "file:$out/console.log" \
    -fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap \
    -device virtio-9p-pci,fsdev=root,mount_tag=hostroot \
    -fsdev "local,id=out,path=$out,security_model=none" -device virtio-9p-pci,fsdev=out,mount_tag=out \
    -device virtio-rng-pci -device virtio-serial-pci -chardev stdio,id=stdout,signal=off \
    -device virtserialport,chardev=stdout,name=outrigger <&3 2> "$out/qemu.err"
}
locked_up() { [ ! -s "$out/rc" ] && grep -q 'softlockup: hung tasks' "$out/console.log"; }

run_machine
machine=$?
for again in 1 2; do
  locked_up || break
  mv "$out/console.log" "$out/console.locked-up.$again.log"
  echo "vm: the machine's kernel locked up (see $out/console.locked-up.$again.log); booting it again" >&2
  sed -n '/soft lockup/,$p' "$out/console.locked-up.$again.log" | head -n 60 >&2
  run_machine
  machine=$?
done

if [ -s "$out/rc" ]; then status=$(cat "$out/rc")
elif [ $machine = 124 ] || [ $machine = 137 ]; then status=124
else status=125; fi
if [ "$status" = 124 ] || [ "$status" = 125 ]; then
  echo "vm: no result (the machine ended with $machine, limit $seconds s); the end of its console:" >&2
  tail -n 12 "$out/console.log" "$out/qemu.err" >&2
fi
if [ $keep = 0 ]; then
  if [ "$status" = 0 ]; then rm -rf "$out"; else echo "vm: its files are in $out" >&2; fi
fi
exit "$status"
