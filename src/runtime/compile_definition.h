#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/runtime.h"

namespace outrigger::runtime {

// The table [compile] of a definition: `command` and `artifacts`, and where wanted `env` and `limits`. A limit that is
// not given is model::CompileStep's own.
base::Result<model::CompileStep> read_compile_step(const toml::table& table, std::string_view origin);

// Why a text is no variable's name, or nothing.
std::optional<std::string> check_variable_name(std::string_view text);

}  // namespace outrigger::runtime
