#include <unistd.h>

#include "cli/probe.h"
#include "cli/rights.h"

namespace outrigger::cli {

std::vector<Finding> probe_rights() {
  Finding root{"root", ::geteuid() == 0, "running as root", {}};
  if (!root.ok) {
    root.detail = "running as user " + std::to_string(::geteuid());
    root.remedy = "run it as root: sudo outrigger doctor";
  }
  Finding capabilities{"capabilities", true, "all that making jails takes", {}};
  if (const std::string missing = missing_capabilities(); !missing.empty()) {
    capabilities = {"capabilities", false, "missing " + missing,
                    "run as root outside a container, or start the container privileged"};
  }
  return {root, capabilities};
}

}  // namespace outrigger::cli
