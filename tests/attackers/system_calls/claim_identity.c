// attack: becomes another user, or takes capabilities back
// expect: status=completed refusals=12
#include <linux/capability.h>

#include "attack.h"

int main(void) {
  const int ids[] = {0, 999, 65534};
  for (unsigned i = 0; i < sizeof ids / sizeof *ids; ++i) {
    char act[32];
    snprintf(act, sizeof act, "become %d", ids[i]);
    tried(act, syscall(SYS_setresuid, ids[i], ids[i], ids[i]));
    tried(act, syscall(SYS_setresgid, ids[i], ids[i], ids[i]));
  }
  const gid_t root_group = 0;
  tried("setgroups root", syscall(SYS_setgroups, 1, &root_group));
  tried("setgroups none", syscall(SYS_setgroups, 0, NULL));
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct all[2] = {{~0U, ~0U, ~0U}, {~0U, ~0U, ~0U}};
  tried("capset all", syscall(SYS_capset, &header, all));
  struct __user_cap_data_struct one[2] = {{1U << CAP_SYS_ADMIN, 1U << CAP_SYS_ADMIN, 0}, {0, 0, 0}};
  tried("capset sys_admin", syscall(SYS_capset, &header, one));
  escaped_if(syscall(SYS_setfsuid, 0) == 0 || syscall(SYS_setfsuid, -1) == 0, "fsuid stays");
  struct __user_cap_data_struct seen[2];
  memset(seen, 0xff, sizeof seen);
  syscall(SYS_capget, &header, seen);
  escaped_if(seen[0].effective || seen[1].effective || seen[0].permitted || seen[1].permitted, "no capability");
  return attack_done();
}
