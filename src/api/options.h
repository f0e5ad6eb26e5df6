#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "httpd/options.h"
#include "model/limits.h"

namespace outrigger::api {

struct Options {
  std::string version;  // of the program, for /health and the OpenAPI document's reader
  model::Limits default_limits;
  model::Limits limit_ceilings;

  // How long a stream of events is silent before it says that it is still there.
  std::chrono::milliseconds stream_comment{10'000};

  httpd::Options http;
};

}  // namespace outrigger::api
