#pragma once

#include <algorithm>
#include <string>

#include "rules/evidence.h"
#include "wire/termination.h"

// The facts of a summary that stand in more than one place.
namespace outrigger::rules {

inline Fact status_fact(const model::Outcome& outcome) {
  return {"summary.status", std::string(model::status_name(outcome.status))};
}
inline Fact exit_code_fact(const model::Outcome& outcome) { return fact_if("summary.exit_code", outcome.exit_code); }
inline Fact signal_fact(const model::Outcome& outcome) { return fact_if("summary.signal", outcome.signal); }

// The system call the filter stopped first, or null.
inline const model::SecurityEvent* violation_of(const model::Outcome& outcome) {
  const auto found = std::ranges::find(outcome.security_events, "seccomp_violation", &model::SecurityEvent::type);
  return found == outcome.security_events.end() ? nullptr : &*found;
}

}  // namespace outrigger::rules
