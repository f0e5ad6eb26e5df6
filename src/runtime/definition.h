#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/runtime.h"

namespace outrigger::runtime {

// A runtime as its TOML file states it (docs/runtimes.md).
struct Definition {
  model::Runtime runtime;
  std::string description;  // one line for people
};

// `origin` stands for the text in messages: "runtimes/python.toml". Unknown keys, wrong types and names that could not
// be a language, a package, a path or a variable are kInvalid with line and column.
base::Result<Definition> parse_definition(std::string_view toml, std::string_view origin);

// All *.toml of the directory in the order of their names, those whose image is built on demand last. A name or alias
// that two files claim is kConflict; a directory that is missing or holds none is kNotFound.
base::Result<std::vector<Definition>> load_definitions(const std::filesystem::path& directory);

}  // namespace outrigger::runtime
