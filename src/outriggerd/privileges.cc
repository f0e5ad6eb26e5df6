#include "outriggerd/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace outrigger::outriggerd {
namespace {

using CapabilitySets = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

base::Status drop_bounding_set() {
  for (unsigned long capability = 0;; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    if (errno == EINVAL && capability > 0) return {};  // past the last that this kernel knows
    return base::system_error("drop_bounding_set", std::to_string(capability));
  }
}

base::Status clear_capabilities() {
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return base::system_error("clear_ambient_set");
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const CapabilitySets none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) return base::system_error("clear_capabilities");
  return {};
}

base::Status verify_no_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  CapabilitySets sets{};
  if (::syscall(SYS_capget, &header, sets.data()) != 0) return base::system_error("verify_privileges", "capget");
  const bool any =
      std::ranges::any_of(sets, [](const auto& s) { return (s.effective | s.permitted | s.inheritable) != 0; });
  if (any) return base::failure(base::Code::kInternal, "verify_privileges", "capabilities are left");
  return {};
}

// The proof: each way back is tried.
base::Status verify_dropped(const Identity& identity) {
  std::array<uid_t, 3> uids{};
  std::array<gid_t, 3> gids{};
  if (::getresuid(&uids[0], &uids[1], &uids[2]) != 0 || ::getresgid(&gids[0], &gids[1], &gids[2]) != 0) {
    return base::system_error("verify_privileges");
  }
  const bool ours = std::ranges::all_of(uids, [&](uid_t uid) { return uid == identity.uid; }) &&
                    std::ranges::all_of(gids, [&](gid_t gid) { return gid == identity.gid; });
  if (!ours) return base::failure(base::Code::kInternal, "verify_privileges", "an old id is left");
  if (::getgroups(0, nullptr) != 0) return base::failure(base::Code::kInternal, "verify_privileges", "a group is left");
  if (::setresuid(0, 0, 0) == 0 || ::setuid(0) == 0 || ::seteuid(0) == 0 || ::setresgid(0, 0, 0) == 0 ||
      ::setgid(0) == 0) {
    return base::failure(base::Code::kInternal, "verify_privileges", "root could be had back");
  }
  return verify_no_capabilities();
}

}  // namespace

base::Status set_resource_limits(std::uint64_t descriptors) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return base::system_error("raise_descriptor_limit");
  files.rlim_max = std::max<rlim_t>(files.rlim_max, descriptors);
  files.rlim_cur = files.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &files) != 0)
    return base::system_error("raise_descriptor_limit", std::to_string(descriptors));
  const rlimit no_core{0, 0};
  if (::setrlimit(RLIMIT_CORE, &no_core) != 0) return base::system_error("forbid_core_dumps");
  return {};
}

base::Status drop_privileges(const Identity& identity) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return base::system_error("set_no_new_privs");
  if (const auto dropped = drop_bounding_set(); !dropped) return dropped;
  if (::setgroups(0, nullptr) != 0) return base::system_error("drop_groups");
  if (::setresgid(identity.gid, identity.gid, identity.gid) != 0) return base::system_error("drop_gid");
  if (::setresuid(identity.uid, identity.uid, identity.uid) != 0) return base::system_error("drop_uid");
  if (const auto cleared = clear_capabilities(); !cleared) return cleared;
  // After the ids: changing them sets it anew.
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return base::system_error("forbid_tracing");
  return verify_dropped(identity);
}

}  // namespace outrigger::outriggerd
