#pragma once

#include <string_view>

#include "model/runtime.h"

namespace outrigger::model {

// Whether it is the runtime's own name or one of its aliases.
bool has_name(const Runtime& runtime, std::string_view name);

}  // namespace outrigger::model
