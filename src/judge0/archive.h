#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"

namespace outrigger::judge0 {

// The files of a zip archive, unpacked: at most `max_bytes` together and `max_files`. Directories are made by the files
// in them. Refused, with a sentence: what is no archive or damaged, encrypted files, links, more than is allowed. Paths
// are as the archive has them: whoever lays them checks.
std::expected<std::vector<model::InputFile>, std::string> unpack(std::string_view zip, std::size_t max_bytes,
                                                                 std::size_t max_files);

}  // namespace outrigger::judge0
