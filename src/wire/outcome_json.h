#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/job.h"
#include "model/outcome.h"

namespace outrigger::wire {

// The answer to POST /api/v1/execute. Times are milliseconds with at most three decimals; what the kernel did not offer
// is null. Output is valid UTF-8 whatever the guest wrote (see base::to_utf8), or base64 of the raw bytes.
std::string outcome_to_json(const model::Outcome& outcome, model::OutputEncoding encoding);

// The same without stdout and stderr, whose reader has had them while they were written.
std::string streamed_outcome_to_json(const model::Outcome& outcome, model::OutputEncoding encoding);

// The result of a queued job: such an answer, and which attempt it is of, where that ran, and the job's annotation
// where it has one.
std::string job_result_json(const model::Outcome& outcome, const model::Job& job, std::string_view node);

// The reverse, for clients: `encoding` is what the request asked for. kInvalid where the text is no such answer.
// started_at and ended_at are not in the answer and stay zero.
base::Result<model::Outcome> parse_outcome(std::string_view json, model::OutputEncoding encoding);
// Of what streamed_outcome_to_json() writes: of its outputs only the counts are there.
base::Result<model::Outcome> parse_streamed_outcome(std::string_view json, model::OutputEncoding encoding);
// The bytes of an event that tells output: {"data": …}.
base::Result<std::string> parse_output_event(std::string_view json, model::OutputEncoding encoding);

}  // namespace outrigger::wire
