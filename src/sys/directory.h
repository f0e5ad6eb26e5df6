#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace outrigger::sys {

enum class EntryType { kFile, kDirectory };

// The names of a directory's entries of one type, in no order, "." and ".." not among them. Links are neither. Only
// what the file system does not tell with the name (readdir(3)) is looked up. `dir_fd` stays the caller's. Error:
// kSystem.
base::Result<std::vector<std::string>> names_in(int dir_fd, EntryType type);

}  // namespace outrigger::sys
