#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/definition.h"

namespace outrigger::cli {

// The language of a program by the ending of its name ("x.py"; a runtime's own source_file tells its ending), else by
// its first line ("#!/usr/bin/env python3"), among the runtimes at hand. Empty where neither says.
std::string guess_language(std::string_view file_name, std::string_view code,
                           std::span<const runtime::Definition> definitions);

}  // namespace outrigger::cli
