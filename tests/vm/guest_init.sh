#!/bin/busybox sh
# shellcheck shell=dash
# The virtual machine's first process: lays the host's tree out as its root, then hands over to run.sh's script.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for word in $($b cat /proc/cmdline); do
  case $word in
    vm.swap=*) swap=${word#vm.swap=} ;;
    vm.modules=*) modules=${word#vm.modules=} ;;
  esac
done
for module in $($b cat /modules/order); do
  $b insmod "/modules/$module" || echo "vm: insmod $module failed"
done

# The host's root, read-only, under a layer in memory: the same paths, and nothing written here outlives the machine.
p9=trans=virtio,version=9p2000.L,msize=1048576
$b mkdir -p /low /rw /root
$b mount -t 9p -o "ro,$p9,cache=loose" hostroot /low || echo "vm: the host's root cannot be mounted"
$b mount -t tmpfs -o size=75% tmpfs /rw
$b mkdir /rw/upper /rw/work
$b mount -t overlay -o lowerdir=/low,upperdir=/rw/upper,workdir=/rw/work overlay /root || echo "vm: overlay failed"

# Modules load on demand, as on a real host: who provokes one from a jail must be seen to fail for the jail's sake.
$b mkdir -p /root/usr/lib/modules
$b mount --bind "/root$modules" /root/usr/lib/modules || echo "vm: no modules"

for dir in proc sys dev; do $b mount --move /$dir /root/$dir; done
$b mount -t tmpfs -o mode=755 tmpfs /root/run
$b mkdir -p /root/dev/shm /root/dev/pts /root/run/vm
$b mount -t tmpfs -o mode=1777 tmpfs /root/dev/shm
$b mount -t devpts -o ptmxmode=666 devpts /root/dev/pts
$b mount -t cgroup2 -o nsdelegate cgroup2 /root/sys/fs/cgroup || echo "vm: cgroup2 failed"
echo "+memory +cpu +pids" > /root/sys/fs/cgroup/cgroup.subtree_control || echo "vm: no controllers"
$b mount -t 9p -o "rw,$p9,cache=none" out /root/run/vm || echo "vm: the output directory cannot be mounted"
if [ -n "$swap" ]; then
  echo "${swap}M" > /root/sys/block/zram0/disksize
  # shellcheck disable=SC2046  # two words, major and minor
  $b mknod /dev/zram0 b $($b tr : ' ' < /root/sys/block/zram0/dev)
  $b mkswap /dev/zram0 > /dev/null && $b swapon /dev/zram0
fi
$b ip link set lo up
$b hostname vm
$b cp /bin/busybox /root/dev/busybox
exec $b switch_root /root /bin/bash /run/vm/guest.sh
