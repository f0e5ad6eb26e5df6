#pragma once

#include <string>
#include <vector>

#include "model/outcome.h"

namespace outrigger::cli {

// Writes a run's files below `directory`, which is made where it is missing. A file that is there is replaced; nothing
// is written anywhere else, whatever the paths say and whatever links lie there. Gives a line of complaint for each
// that could not be collected or written; `written` is false if it was the writing.
std::vector<std::string> write_collected(const std::vector<model::CollectedFile>& files, const std::string& directory,
                                         bool& written);

}  // namespace outrigger::cli
