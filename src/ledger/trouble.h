#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace outrigger::ledger {

// What the operator is told while a ledger can't be written: what failed, what it means, what to do.
std::string trouble_sentence(std::string_view ledger, const base::Error& error, std::size_t waiting);

}  // namespace outrigger::ledger
