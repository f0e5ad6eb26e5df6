#pragma once

#include <string>
#include <vector>

namespace outrigger::cli {

// Columns as wide as what is in them, two blanks apart; the last is never padded. All rows have as many cells as the
// first, which is the heading. Without a newline at its end.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace outrigger::cli
