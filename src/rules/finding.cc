#include "rules/finding.h"

namespace outrigger::rules {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kInfo: return "info";
    case Severity::kWarning: return "warning";
    case Severity::kCritical: return "critical";
  }
  return "critical";
}

Fact fact(std::string name, const probe::Figure& figure) {
  if (!figure) return {std::move(name), std::monostate{}};
  return {std::move(name), *figure};
}

}  // namespace outrigger::rules
