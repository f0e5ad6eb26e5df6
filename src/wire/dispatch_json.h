#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "wire/request_error.h"

namespace outrigger::wire {

// The body of GET and PUT /api/v1/dispatch.
struct Dispatch {
  bool paused = false;
  std::string reason;  // at most 256 bytes; null in JSON where empty
};

std::expected<Dispatch, RequestError> parse_dispatch(std::string_view body);
std::string dispatch_to_json(const Dispatch& dispatch);

}  // namespace outrigger::wire
