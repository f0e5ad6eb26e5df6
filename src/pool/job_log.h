#pragma once

#include "base/log.h"
#include "model/job.h"
#include "model/outcome.h"

namespace outrigger::pool {

// The log's line for a job that has ended, job_ended: which it was, whose, and what became of it, in figures and fixed
// words. Never a byte of its code or its output, nor the cause's sentence, which may carry the guest's own words.
base::LogFields ending_fields(const model::Job& job, const model::Outcome& outcome);

}  // namespace outrigger::pool
