#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "judge0/view.h"
#include "wire/job_status.h"

namespace outrigger::judge0 {

// A submission as the queue has it.
struct State {
  Kept kept;
  Verdict verdict;
};

// Nothing for a job that was not queued through this API. One that is promised and not in the queue yet has nothing
// kept that could be told.
std::optional<State> state_of(const wire::JobStatus& status);

inline bool is_final(const Verdict& verdict) { return verdict.status > kProcessing; }

// What Judge0 sends to callback_url, by PUT: the eight usual attributes, texts as base64. Nothing where the result is
// of a job that was not queued through this API. `result`: as the queue keeps it.
std::optional<std::string> callback_body(std::string_view job_id, std::string_view result);

}  // namespace outrigger::judge0
