// attack: mounts or unmounts, by the old call and by the new ones
// expect: status=security_violation
// case: tmpfs args="tmpfs" syscall=mount
// case: proc args="proc" syscall=mount
// case: bind args="bind" syscall=mount
// case: remount_writable args="remount" syscall=mount
// case: cgroup args="cgroup" syscall=mount
// case: cgroup2 args="cgroup2" syscall=mount
// case: umount args="umount" syscall=umount2
// case: umount_upper_bits args="umount_upper" syscall=umount2
// case: fsopen args="fsopen" syscall=fsopen
// case: fsconfig args="fsconfig" syscall=fsconfig
// case: fsmount args="fsmount" syscall=fsmount
// case: fspick args="fspick" syscall=fspick
// case: open_tree args="open_tree" syscall=open_tree
// case: move_mount args="move_mount" syscall=move_mount
// case: mount_setattr args="mount_setattr" syscall=mount_setattr
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "attack.h"

enum { kOpenTreeClone = 1, kMoveMountEmptyPath = 4 };

static long act(const char *name) {
  static const char target[] = "/tmp/work/target";
  mkdir(target, 0755);
  if (strcmp(name, "tmpfs") == 0) return syscall(SYS_mount, "none", target, "tmpfs", 0, NULL);
  if (strcmp(name, "proc") == 0) return syscall(SYS_mount, "none", target, "proc", 0, NULL);
  if (strcmp(name, "bind") == 0) return syscall(SYS_mount, "/", target, NULL, MS_BIND, NULL);
  if (strcmp(name, "remount") == 0) return syscall(SYS_mount, NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL);
  if (strcmp(name, "cgroup") == 0) return syscall(SYS_mount, "none", target, "cgroup", 0, "memory");
  if (strcmp(name, "cgroup2") == 0) return syscall(SYS_mount, "none", target, "cgroup2", 0, NULL);
  if (strcmp(name, "umount") == 0) return syscall(SYS_umount2, "/proc", MNT_DETACH);
  if (strcmp(name, "umount_upper") == 0) return syscall(SYS_umount2, "/proc", WITH_UPPER_BITS(MNT_DETACH));
  if (strcmp(name, "fsopen") == 0) return syscall(SYS_fsopen, "tmpfs", 0);
  if (strcmp(name, "fsconfig") == 0) return syscall(SYS_fsconfig, 0, 0, NULL, NULL, 0);
  if (strcmp(name, "fsmount") == 0) return syscall(SYS_fsmount, 0, 0, 0);
  if (strcmp(name, "fspick") == 0) return syscall(SYS_fspick, AT_FDCWD, "/proc", 0);
  if (strcmp(name, "open_tree") == 0) return syscall(SYS_open_tree, AT_FDCWD, "/", kOpenTreeClone);
  if (strcmp(name, "move_mount") == 0) return syscall(SYS_move_mount, 0, "", AT_FDCWD, target, kMoveMountEmptyPath);
  if (strcmp(name, "mount_setattr") == 0) return syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, NULL, 0);
  exit(2);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  tried(argv[1], act(argv[1]));
  return attack_done();
}
