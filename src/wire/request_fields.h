#pragma once

#include <array>
#include <string_view>

namespace outrigger::wire {

// Every field a request body may have: the parsers refuse all others, and the OpenAPI document is tested against these.
inline constexpr std::array<std::string_view, 10> kExecuteFields{
    "tenant_id", "language", "code", "stdin", "args", "env", "files", "limits", "collect", "output_encoding"};
inline constexpr std::array<std::string_view, 1> kJobFields{"callback_url"};  // beside those
// Beside all of those.
inline constexpr std::array<std::string_view, 8> kEntryFields{"job_id",         "submitted_at",     "annotation",
                                                              "input_encoding", "stderr_to_stdout", "ceilings",
                                                              "token_id",       "traceparent"};
inline constexpr std::array<std::string_view, 4> kFileFields{"path", "content", "encoding", "mode"};
inline constexpr std::array<std::string_view, 1> kBatchFields{"jobs"};
inline constexpr std::array<std::string_view, 2> kDispatchFields{"paused", "reason"};

}  // namespace outrigger::wire
