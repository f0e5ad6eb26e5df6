#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace outrigger::ledger {

// A file of a ledger, by what its name says.
struct Segment {
  std::uint64_t first_seq = 0;  // of its first line
  std::string file;
};

// "execution-000000000001.jsonl"
std::string segment_file_name(std::string_view name, std::uint64_t first_seq);

// Whether a ledger may be called so: 1 to 64 of [a-z0-9_-]; its files' names begin with it.
bool is_ledger_name(std::string_view name);

// The ledger's files in this directory, oldest first; none if there is no such ledger. Only regular files count. `dir`
// stays the caller's. Error: kSystem.
base::Result<std::vector<Segment>> list_segments(int dir, std::string_view name);

}  // namespace outrigger::ledger
