#include <algorithm>

#include "model/outcome.h"
#include "model/runtime_name.h"

namespace outrigger::model {

bool has_name(const Runtime& runtime, std::string_view name) {
  return runtime.name == name || std::ranges::find(runtime.aliases, name) != runtime.aliases.end();
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::kCompleted: return "completed";
    case Status::kFailed: return "failed";
    case Status::kTimeout: return "timeout";
    case Status::kCpuExceeded: return "cpu_exceeded";
    case Status::kMemoryExceeded: return "memory_exceeded";
    case Status::kSecurityViolation: return "security_violation";
    case Status::kSignaled: return "signaled";
    case Status::kCancelled: return "cancelled";
    case Status::kInternalError: return "internal_error";
    case Status::kInterrupted: return "interrupted";
  }
  return "internal_error";
}

}  // namespace outrigger::model
