#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

#include "base/error.h"

namespace outrigger::cli {

using ChildBody = std::function<base::Result<std::string>()>;

// Runs `body` in a forked child, born in the namespaces that `clone_flags` name, and brings back what it returned:
// whatever it does to itself ends with it. `prepare` (may be empty) is called with the child's pid before the child
// begins; it writes its id maps, for instance. A child that dies or is not done in time is an error. The caller must be
// single-threaded.
base::Result<std::string> run_in_child(unsigned long clone_flags, const std::function<base::Status(pid_t)>& prepare,
                                       const ChildBody& body,
                                       std::chrono::milliseconds timeout = std::chrono::seconds(10));

}  // namespace outrigger::cli
