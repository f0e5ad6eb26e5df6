#pragma once

#include <string>
#include <string_view>

#include "model/outcome.h"

namespace outrigger::wire {

// The termination summary of an ended job for the auditor's spool: one JSON object and a newline. What the kernel did
// not offer is null, never 0.
std::string termination_json(const model::Outcome& outcome, std::string_view command, std::string_view cgroup_driver);

}  // namespace outrigger::wire
