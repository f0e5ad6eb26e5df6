#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/job.h"
#include "wire/execute_request.h"
#include "wire/fields.h"

namespace outrigger::wire {

// What becomes argv and environment of the program: read together, since execve(2) limits their sum.
void read_args_and_env(const Fields& fields, const RequestRules& rules, Refusal& refusal, model::Job& job);

// `files`: paths that stay below the working directory and don't contradict each other, contents decoded.
void read_files(const Fields& fields, const RequestRules& rules, Refusal& refusal, model::Job& job);

// `collect`: patterns (base/glob.h) that can't mean anything outside the working directory.
void read_collect(const Fields& fields, const RequestRules& rules, Refusal& refusal, model::Job& job);

}  // namespace outrigger::wire
