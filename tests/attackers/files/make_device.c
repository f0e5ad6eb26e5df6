// attack: makes the machine's disk or memory its own file
// expect: status=security_violation
// case: block_device args="block" syscall=mknod
// case: character_device args="char" syscall=mknod
// case: at_directory args="at" syscall=mknodat
// case: upper_bits args="upper" syscall=mknod
// case: whiteout args="whiteout" syscall=mknod
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const char *path = "/tmp/work/device";
  long result = -1;
  if (strcmp(argv[1], "block") == 0) result = syscall(SYS_mknod, path, S_IFBLK | 0600, makedev(8, 0));
  if (strcmp(argv[1], "char") == 0) result = syscall(SYS_mknod, path, S_IFCHR | 0600, makedev(1, 1));
  if (strcmp(argv[1], "at") == 0) result = syscall(SYS_mknodat, AT_FDCWD, path, S_IFBLK | 0600, makedev(8, 0));
  if (strcmp(argv[1], "upper") == 0) result = syscall(SYS_mknod, path, WITH_UPPER_BITS(S_IFCHR | 0600), makedev(1, 1));
  // Device 0:0 is what an overlay takes as "deleted"; the kernel lets anybody make it.
  if (strcmp(argv[1], "whiteout") == 0) result = syscall(SYS_mknod, path, S_IFCHR | 0600, makedev(0, 0));
  tried("mknod", result);
  return attack_done();
}
