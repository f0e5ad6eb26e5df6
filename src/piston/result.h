#pragma once

#include <string>
#include <string_view>

#include "model/outcome.h"
#include "piston/runtimes.h"

namespace outrigger::piston {

// The answer to POST /api/v2/execute: {"language", "version", "compile"?: {…}, "run"?: {…}}; as with Piston, without
// `run` where the compile stage has failed. Times are milliseconds,
// memory bytes; `status` and `message` are those of isolate, which Piston hands on ("TO", "RE", "SG", "XX";
// isolate(1)). `output`: both streams in the order in which they were written; empty: not known, and they follow each
// other.
std::string result_json(const model::Outcome& outcome, const Runtime& runtime, std::string_view output = {});

// What a compile step has of an outcome.
model::Outcome as_stage(const model::CompileReport& report);

// A stage's ending in those terms.
struct Ending {
  std::string status;   // empty (null in JSON): it exited with 0
  std::string message;  // likewise
  std::string signal;   // "SIGKILL"; empty (null) where it exited
  bool has_code = false;
  int code = 0;
};
Ending ending_of(const model::Outcome& outcome);

}  // namespace outrigger::piston
