#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"

namespace outrigger::runtime {

// The whole of a file of at most 16 MiB (a package database is larger than what sys/small_file.h calls small).
base::Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace outrigger::runtime
