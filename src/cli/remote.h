#pragma once

#include <chrono>
#include <expected>
#include <string>

#include "cli/options.h"
#include "http/client.h"
#include "wire/error_json.h"

namespace outrigger::cli {

// One request of a daemon: what it answered with 2xx, or what it or the way to it has against it.
std::expected<std::string, wire::ErrorBody> ask(const Remote& remote, http::Method method, std::string target,
                                                std::string body = {}, std::string idempotency_key = {},
                                                std::chrono::milliseconds patience = std::chrono::seconds{60});

// The same for a request that is made up but for its server and its token; the answer with its status.
std::expected<http::Answer, wire::ErrorBody> ask(const Remote& remote, http::Request request);

// Percent-encoded, for a path's segment or a query's value.
std::string percent_encoded(std::string_view text);

}  // namespace outrigger::cli
