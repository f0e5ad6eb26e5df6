#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "config/load.h"

namespace outrigger::outriggerd {

struct Options {
  config::LoadOptions load;
  bool check_config = false;
  bool version = false;
  bool help = false;
};

// The command line without the program's name; the error is a sentence for stderr.
std::expected<Options, std::string> parse_options(std::span<const char* const> arguments);

std::string_view usage();

}  // namespace outrigger::outriggerd
