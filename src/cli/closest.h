#pragma once

#include <span>
#include <string>
#include <string_view>

namespace outrigger::cli {

// The candidate that `word` is most likely a typing mistake of: few edits away for its length. Empty where none is.
std::string closest(std::string_view word, std::span<const std::string> candidates);

}  // namespace outrigger::cli
