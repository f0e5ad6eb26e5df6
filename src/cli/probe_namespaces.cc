#include <sched.h>
#include <unistd.h>

#include <array>

#include "cli/probe.h"
#include "jail/plan.h"

namespace outrigger::cli {
namespace {

using Answer = base::Result<std::string>;

struct Kind {
  const char* name;
  unsigned long flag;
  const char* sysctl;
};

constexpr std::array kKinds{Kind{"pid", CLONE_NEWPID, "user.max_pid_namespaces"},
                            Kind{"mount", CLONE_NEWNS, "user.max_mnt_namespaces"},
                            Kind{"net", CLONE_NEWNET, "user.max_net_namespaces"},
                            Kind{"ipc", CLONE_NEWIPC, "user.max_ipc_namespaces"},
                            Kind{"uts", CLONE_NEWUTS, "user.max_uts_namespaces"},
                            Kind{"user", CLONE_NEWUSER, "user.max_user_namespaces"},
                            Kind{"cgroup", CLONE_NEWCGROUP, "user.max_cgroup_namespaces"}};

Answer born_in(const Kind& kind) {
  return run_in_child(kind.flag, {}, [&kind]() -> Answer {
    if (kind.flag == CLONE_NEWPID && ::getpid() != 1)
      return base::failure(base::Code::kUnsupported, "clone", "not pid 1");
    return "made one and lived in it";
  });
}

// All of them at once and in a user namespace is how a jail is born.
Answer take_ids(const config::Jail& jail) {
  return in_user_namespace(jail.uid_base, CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS,
                           [&jail]() -> Answer {
                             if (::setresgid(jail::kGuestId, jail::kGuestId, jail::kGuestId) != 0)
                               return base::system_error("setresgid");
                             if (::setresuid(jail::kGuestId, jail::kGuestId, jail::kGuestId) != 0)
                               return base::system_error("setresuid");
                             if (::getuid() != jail::kGuestId)
                               return base::failure(base::Code::kUnsupported, "setresuid", "had no effect");
                             return "mapped host ids " + std::to_string(jail.uid_base) + " and " +
                                    std::to_string(jail.uid_base + 1) + " and became the second";
                           });
}

}  // namespace

std::vector<Finding> probe_namespaces(const config::Jail& jail) {
  std::vector<Finding> findings;
  for (const Kind& kind : kKinds) {
    const std::string remedy = std::string("raise `sysctl ") + kind.sysctl +
                               "`; in a container, start it privileged; a chroot may make no user namespaces";
    findings.push_back(probe(std::string("namespace.") + kind.name, remedy, [&kind] { return born_in(kind); }));
  }
  findings.push_back(
      probe("id_map",
            "set jail.uid_base to ids that /proc/self/uid_map holds (in a container: a range it was given) "
            "and that no user of this machine has",
            [&jail] { return take_ids(jail); }));
  return findings;
}

}  // namespace outrigger::cli
