#include "base/error.h"

#include <cstring>

namespace outrigger::base {

std::string_view code_name(Code code) {
  switch (code) {
    case Code::kInvalid: return "invalid";
    case Code::kNotFound: return "not_found";
    case Code::kConflict: return "conflict";
    case Code::kTooLarge: return "too_large";
    case Code::kUnsupported: return "unsupported";
    case Code::kExhausted: return "exhausted";
    case Code::kOverQuota: return "over_quota";
    case Code::kPaused: return "paused";
    case Code::kUnavailable: return "unavailable";
    case Code::kTimedOut: return "timed_out";
    case Code::kCancelled: return "cancelled";
    case Code::kSystem: return "system";
    case Code::kInternal: return "internal";
  }
  return "internal";
}

std::string errno_name(int errno_value) {
  const char* name = ::strerrorname_np(errno_value);
  return name != nullptr ? name : std::to_string(errno_value);
}

std::string Error::text() const {
  std::string out = step;
  if (errno_value != 0) {
    out += ": ";
    out += ::strerrordesc_np(errno_value) != nullptr ? ::strerrordesc_np(errno_value) : "unknown error";
    out += " (" + errno_name(errno_value) + ")";
  }
  if (!context.empty()) out += ": " + context;
  return out;
}

std::unexpected<Error> system_error(std::string_view step, std::string_view context, int errno_value) {
  return std::unexpected(Error{std::string(step), Code::kSystem, errno_value, std::string(context)});
}

std::unexpected<Error> failure(Code code, std::string_view step, std::string_view context) {
  return std::unexpected(Error{std::string(step), code, 0, std::string(context)});
}

}  // namespace outrigger::base
