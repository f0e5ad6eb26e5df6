#pragma once

#include <string_view>

#include "wire/request_error.h"
#include "wire/tree_handler.h"

namespace outrigger::wire {

// Why `text` was refused, for people: `handler` as the failed parse left it, `ec` what the parser said.
RequestError describe_fault(std::string_view text, const TreeHandler& handler, const boost::json::error_code& ec);

}  // namespace outrigger::wire
