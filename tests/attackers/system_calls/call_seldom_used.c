// attack: calls old or seldom used parts of the kernel, whose faults are found last
// expect: status=security_violation
// case: fanotify args="fanotify" syscall=fanotify_init
// case: vmsplice args="vmsplice" syscall=vmsplice
// case: needless args="needless" expect="status=completed refusals=17 stdout_only=ENOSYS"
#include <linux/mempolicy.h>

#include "attack.h"

static int needless(void) {
  static unsigned long buffer[32];
  tried("shmget", syscall(SYS_shmget, 0, 4096, 01600));
  tried("semget", syscall(SYS_semget, 0, 1, 01600));
  tried("msgget", syscall(SYS_msgget, 0, 01600));
  tried("mq_open", syscall(SYS_mq_open, "mine", 0102, 0600, NULL));
  tried("remap_file_pages", syscall(SYS_remap_file_pages, buffer, 4096, 0, 0, 0));
  tried("mbind", syscall(SYS_mbind, buffer, 4096, MPOL_DEFAULT, NULL, 0, 0));
  tried("set_mempolicy", syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0));
  tried("migrate_pages", syscall(SYS_migrate_pages, 0, 1, buffer, buffer));
  tried("move_pages", syscall(SYS_move_pages, 0, 0, NULL, NULL, NULL, 0));
  tried("sysfs", syscall(SYS_sysfs, 3, 0, 0));
  tried("ustat", syscall(SYS_ustat, 0, buffer));
  tried("_sysctl", syscall(SYS__sysctl, buffer));
  tried("landlock", syscall(SYS_landlock_create_ruleset, NULL, 0, 1));
  tried("memfd_secret", syscall(447, 0));
  tried("io_setup", syscall(SYS_io_setup, 8, buffer));
  tried("nfsservctl", syscall(SYS_nfsservctl, 0, NULL, NULL));
  tried("ioprio_set", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
  return attack_done();
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  if (strcmp(argv[1], "needless") == 0) return needless();
  if (strcmp(argv[1], "fanotify") == 0) tried("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
  if (strcmp(argv[1], "vmsplice") == 0) tried("vmsplice", syscall(SYS_vmsplice, 1, NULL, 0, 0));
  return attack_done();
}
