// attack: opens a file by its handle, which needs no path and so no root (the way out of old containers)
// why: asking for a handle is no danger by itself, and programs do; it answers ENOSYS
// expect: status=security_violation syscall=open_by_handle_at
// case: name args="name" expect="status=completed refusals=1 stdout_only=ENOSYS"
// case: open args="open"
#include <fcntl.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  static struct {
    struct file_handle head;
    unsigned char bytes[128];
  } handle;
  handle.head.handle_bytes = 8;
  int mount_id = 0;
  long result = -1;
  if (strcmp(argv[1], "name") == 0) {
    result = syscall(SYS_name_to_handle_at, AT_FDCWD, "/", &handle, &mount_id, 0);
  } else {
    // The root directory of an ext4 file system: inode 2, any generation.
    handle.head.handle_type = 1;
    handle.bytes[0] = 2;
    result = syscall(SYS_open_by_handle_at, open("/", O_RDONLY | O_DIRECTORY), &handle, O_RDONLY);
  }
  tried(argv[1], result);
  return attack_done();
}
