#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/child.h"
#include "config/config.h"
#include "config/paths.h"

namespace outrigger::cli {

// What the doctor found out about one thing.
struct Finding {
  std::string name;  // "namespace.pid"
  bool ok = false;
  std::string detail;
  std::string remedy;  // what to do; empty where ok
};

// Does `body` in a child and makes a line of it.
Finding probe(const std::string& name, const std::string& remedy, const ChildBody& body);
Finding finding_of(const std::string& name, const std::string& remedy, const base::Result<std::string>& result);

// `body` in a child with a user namespace of its own, its ids 999 and 1000 being the host's first and first + 1 as in a
// jail, and with the further namespaces that `clone_flags` name. It begins with all capabilities in there.
base::Result<std::string> in_user_namespace(std::uint32_t first_host_id, unsigned long clone_flags,
                                            const ChildBody& body);

// The groups of probes, in the order of the doctor's report. Each probe stands for itself: none needs another's
// success.
std::vector<Finding> probe_rights();
std::vector<Finding> probe_namespaces(const config::Jail& jail);
std::vector<Finding> probe_mounts(const config::Jail& jail);
std::vector<Finding> probe_kernel_calls();  // seccomp with a listener, pidfd
std::vector<Finding> probe_cgroups(const config::Jail& jail);
// Programs, images, and one whole jail made with `paths`, from which `config` was loaded.
std::vector<Finding> probe_installation(const config::Config& config, const config::PathOptions& paths);

}  // namespace outrigger::cli
