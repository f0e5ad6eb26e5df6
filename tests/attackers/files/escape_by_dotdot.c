// attack: climbs past the root directory by every way that has ever worked
// expect: status=completed refusals=4
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include "attack.h"

static int is_root(int fd) {
  struct stat here, root;
  return fstat(fd, &here) == 0 && stat("/", &root) == 0 && here.st_ino == root.st_ino && here.st_dev == root.st_dev;
}

int main(void) {
  const int top = open("/", O_RDONLY | O_DIRECTORY);
  int up = top;
  for (int i = 0; i < 64; ++i) up = openat(up, "..", O_RDONLY | O_DIRECTORY);
  escaped_if(!is_root(up), "the parent of the root is the root");
  fchdir(top);
  chdir("../../../../../..");
  char here[4096];
  escaped_if(getcwd(here, sizeof here) == NULL || strcmp(here, "/") != 0, "the working directory stays below the root");
  struct open_how how = {.flags = O_PATH | O_DIRECTORY, .resolve = RESOLVE_IN_ROOT};
  const long in_root = syscall(SYS_openat2, top, "../../..", &how, sizeof how);
  escaped_if(in_root >= 0 && !is_root((int)in_root), "openat2 stays below the root");
  escaped_if(access("/.old", F_OK) == 0 || access("/oldroot", F_OK) == 0 || access("/put_old", F_OK) == 0,
             "the old root is not to be found");
  return attack_done();
}
