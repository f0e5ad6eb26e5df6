#pragma once

#include <libpq-fe.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace outrigger::store::postgres {

// What may be shown of libpq's message about a connection: its last reason, without the names in it and `secrets`.
std::string shown_reason(std::string_view message, std::span<const std::string> secrets);

// The values in a connection string that must never be shown.
std::vector<std::string> secrets_in(const PQconninfoOption* options);

// A failed statement's error: kInvalid for the SQLSTATE classes 22 and 23 (the data), kTimedOut where the server gave
// up by its own clock, kSystem for everything else.
base::Error statement_error(std::string_view step, const PGresult& result, std::span<const std::string> secrets);

// Whether the connection is as good as before this error.
bool leaves_connection(const base::Error& error);

}  // namespace outrigger::store::postgres
