#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrigger::wire {

// What a request's traceparent says (W3C Trace Context, level 1, section 3.2: https://www.w3.org/TR/trace-context-1/).
struct TraceContext {
  std::string trace_id;   // 32 lower-case hexadecimal digits, not all of them 0
  std::string parent_id;  // 16, likewise
  std::string flags;      // 2
};

// Nothing for what the standard does not let pass: upper case, other lengths, zeroes, version ff. Of a version above 00
// the part that 00 knows is read, as section 3.2.4 wants it.
std::optional<TraceContext> parse_traceparent(std::string_view text);

// What a request carries on that is sent for a job of this trace: of version 00, the job being the parent. The job's
// own id in the trace follows from its job_id, so that a job run again after a failure is the same there.
std::string traceparent_of(const TraceContext& context, std::string_view job_id);
std::string span_id_of(std::string_view job_id);

// The text where it is a good traceparent, empty where it is not: such a one is passed over (section 3.2.4).
std::string good_traceparent(std::string_view text);

// The trace's id where the text is a good traceparent; empty where it is not.
std::string trace_id_of(std::string_view traceparent);

}  // namespace outrigger::wire
