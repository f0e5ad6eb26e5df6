#pragma once

#include <expected>
#include <string_view>

#include "config/config.h"
#include "model/runtime.h"
#include "wire/error_json.h"

namespace outrigger::cli {

// The runtime that answers to `language`, with its image; the error says what there is, or how to build the image.
std::expected<model::InstalledRuntime, wire::ErrorBody> find_runtime(const config::Paths& paths,
                                                                     std::string_view language);

}  // namespace outrigger::cli
