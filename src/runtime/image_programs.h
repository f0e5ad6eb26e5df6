#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace outrigger::runtime {

// Whether each absolute path is an executable file in the tree, symbolic links followed as a process rooted there
// would. kNotFound names the one that is missing.
base::Status check_programs(const std::filesystem::path& root, const std::vector<std::string>& programs);

}  // namespace outrigger::runtime
