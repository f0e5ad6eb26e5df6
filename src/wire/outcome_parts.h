#pragma once

#include <vector>

#include "model/outcome.h"
#include "wire/json_writer.h"

namespace outrigger::wire {

// Parts that an answer and a termination summary have in common.
void write_cause(JsonWriter& writer, const model::Cause& cause);
void write_security_events(JsonWriter& writer, const std::vector<model::SecurityEvent>& events);
// Its value alone.
void write_security_event_list(JsonWriter& writer, const std::vector<model::SecurityEvent>& events);
// Milliseconds; null where the time is not known.
void write_milliseconds(JsonWriter& writer, std::string_view name,
                        const std::optional<std::chrono::microseconds>& time);
// A counter of microseconds; null where it is not known, or can't be.
void write_microseconds(JsonWriter& writer, std::string_view name,
                        const std::optional<std::chrono::microseconds>& time);
// exit_code and signal.
void write_ending(JsonWriter& writer, const std::optional<int>& exit_code, const std::optional<std::string>& signal);
inline void write_ending(JsonWriter& writer, const model::Outcome& outcome) {
  write_ending(writer, outcome.exit_code, outcome.signal);
}
// Whether the job's own group counted an OOM kill; null where the kernel counts none.
void write_oom_triggered(JsonWriter& writer, const model::Usage& usage);

}  // namespace outrigger::wire
