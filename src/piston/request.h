#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "model/job.h"
#include "model/runtime.h"
#include "piston/runtimes.h"
#include "wire/execute_request.h"

namespace outrigger::piston {

// An answer that is not a success.
struct Refusal {
  int status = 400;
  std::string message;  // a sentence: Piston's own where Piston refuses too
};

// {"message": …}
std::string refusal_json(std::string_view message);

struct Request {
  model::Job job;
  Runtime runtime;
};

// The body of POST /api/v2/execute (Piston's docs/api-v2.md, and api/src/api/v2.js where that is silent), or the first
// message of its WebSocket, as a job of `tenant`. Members it does not know are passed over, as Piston does. Where the
// answer says nothing else, a limit that was not asked for is rules.defaults', and a memory limit below zero, which is
// Piston's word for none, is the ceiling.
std::expected<Request, Refusal> parse_request(std::string_view body, std::string_view tenant,
                                              std::span<const model::InstalledRuntime> runtimes,
                                              const wire::RequestRules& rules);

}  // namespace outrigger::piston
