#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "model/outcome.h"
#include "model/run_record.h"

namespace outrigger::mcp {

// What tools/call answers: {"content": [{"type": "text", …}], "structuredContent"?: {…}, "isError": …}. `structured`
// is a JSON object's text; empty: none.
std::string tool_result(std::string_view text, std::string_view structured, bool is_error);

// So much of an output is handed to a model; more would drown it.
inline constexpr std::size_t kMaxOutput = 64U << 10;

// One run: how it ended in a sentence, then what it wrote.
std::string run_result(const model::Outcome& outcome);
// One run of the audit trail, which keeps no output. `record_json`: as the API has it.
std::string record_result(const model::RunRecord& record, std::string_view record_json);
// GET /api/v1/languages in words. kInvalid where it is no such document.
base::Result<std::string> languages_result(std::string_view languages_json);

// "The program failed: exited with status 1."
std::string ending_in_words(const model::Outcome& outcome);

}  // namespace outrigger::mcp
