// attack: calls by which root changes or ends the whole machine; arguments that do no harm should one ever get through
// expect: status=security_violation
// case: reboot args="reboot" syscall=reboot
// case: kexec_load args="kexec_load" syscall=kexec_load
// case: kexec_file_load args="kexec_file_load" syscall=kexec_file_load
// case: init_module args="init_module" syscall=init_module
// case: finit_module args="finit_module" syscall=finit_module
// case: delete_module args="delete_module" syscall=delete_module
// case: swapon args="swapon" syscall=swapon
// case: swapoff args="swapoff" syscall=swapoff
// case: sethostname args="sethostname" syscall=sethostname
// case: setdomainname args="setdomainname" syscall=setdomainname
// case: iopl args="iopl" syscall=iopl
// case: ioperm args="ioperm" syscall=ioperm
// case: acct args="acct" syscall=acct
// case: quotactl args="quotactl" syscall=quotactl
// case: quotactl_fd args="quotactl_fd" syscall=quotactl_fd
// case: syslog args="syslog" syscall=syslog
// case: vhangup args="vhangup" syscall=vhangup
// case: lookup_dcookie args="lookup_dcookie" syscall=lookup_dcookie
#include "attack.h"

enum { kNoMagic = 0, kReadAllOfKernelLog = 3, kQuotaSync = 1 << 8, kQuotactlFd = 443 };

static long act(const char *name) {
  static char buffer[64];
  if (strcmp(name, "reboot") == 0) return syscall(SYS_reboot, kNoMagic, kNoMagic, kNoMagic, NULL);
  if (strcmp(name, "kexec_load") == 0) return syscall(SYS_kexec_load, 0, 0, NULL, 0);
  if (strcmp(name, "kexec_file_load") == 0) return syscall(SYS_kexec_file_load, -1, -1, 0, NULL, 0);
  if (strcmp(name, "init_module") == 0) return syscall(SYS_init_module, buffer, sizeof buffer, "");
  if (strcmp(name, "finit_module") == 0) return syscall(SYS_finit_module, 0, "", 0);
  if (strcmp(name, "delete_module") == 0) return syscall(SYS_delete_module, "no_such_module", 0);
  if (strcmp(name, "swapon") == 0) return syscall(SYS_swapon, "/tmp/work/a", 0);
  if (strcmp(name, "swapoff") == 0) return syscall(SYS_swapoff, "/tmp/work/a");
  if (strcmp(name, "sethostname") == 0) return syscall(SYS_sethostname, "mine", 4);
  if (strcmp(name, "setdomainname") == 0) return syscall(SYS_setdomainname, "mine", 4);
  if (strcmp(name, "iopl") == 0) return syscall(SYS_iopl, 3);
  if (strcmp(name, "ioperm") == 0) return syscall(SYS_ioperm, 0x80, 1, 1);
  if (strcmp(name, "acct") == 0) return syscall(SYS_acct, NULL);
  if (strcmp(name, "quotactl") == 0) return syscall(SYS_quotactl, kQuotaSync, NULL, 0, NULL);
  if (strcmp(name, "quotactl_fd") == 0) return syscall(kQuotactlFd, 0, kQuotaSync, 0, NULL);
  if (strcmp(name, "syslog") == 0) return syscall(SYS_syslog, kReadAllOfKernelLog, buffer, sizeof buffer);
  if (strcmp(name, "vhangup") == 0) return syscall(SYS_vhangup);
  if (strcmp(name, "lookup_dcookie") == 0) return syscall(SYS_lookup_dcookie, 0L, buffer, sizeof buffer);
  exit(2);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  tried(argv[1], act(argv[1]));
  return attack_done();
}
