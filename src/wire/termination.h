#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "model/outcome.h"
#include "wire/request_error.h"

namespace outrigger::wire {

// How a job's run ended, as the daemon tells it to the auditor.
struct Termination {
  model::Outcome outcome;  // the streams' data is empty; their sizes hold; limits are not told
  std::string command;
  std::string cgroup_driver;                 // "v2", "v1"; empty where no jail was made
  std::uint32_t attempt = 1;                 // of a queued job: its runs before this one, and this one
  std::optional<bool> cgroup_oom_triggered;  // absent where the kernel counts no OOM kills
};

// The termination summary of an ended run for the auditor's spool: one JSON object and a newline. What the kernel did
// not offer is null, never 0. `attempt` is told where it is not the first.
std::string termination_json(const model::Outcome& outcome, std::string_view command, std::string_view cgroup_driver,
                             std::uint32_t attempt = 1);

// Reads it again: members it does not know are passed over, so that a newer daemon's summary can be read; a missing or
// ill-formed one that is known is an error with its name.
std::expected<Termination, RequestError> parse_termination(std::string_view text);

}  // namespace outrigger::wire
