#pragma once

#include <string>

namespace outrigger::cli {

// What this process lacks to make jails: "CAP_SYS_ADMIN CAP_SETUID", by name. Empty where it has all. A process that is
// not root's has none of them; root's may lack some, in a container.
std::string missing_capabilities();

}  // namespace outrigger::cli
