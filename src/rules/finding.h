#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "probe/reading.h"

namespace outrigger::rules {

enum class Severity : std::uint8_t { kInfo, kWarning, kCritical };
std::string_view severity_name(Severity severity);  // "info", "warning", "critical"

// One piece of evidence: a name as the kernel or the protocol has it, and what stood there. Monostate: not known.
struct Fact {
  std::string name;
  std::variant<std::monostate, std::uint64_t, double, bool, std::string> value;
};
Fact fact(std::string name, const probe::Figure& figure);
using Evidence = std::vector<Fact>;

// Something an operator should know.
struct Finding {
  std::string_view rule;  // of static storage: "scheduling_contention"
  Severity severity = Severity::kWarning;
  std::string text;  // a sentence: what happened, to what
  Evidence evidence;
};

}  // namespace outrigger::rules
