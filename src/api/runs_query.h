#pragma once

#include <array>
#include <expected>
#include <string>
#include <string_view>

#include "store/audit_store.h"
#include "wire/request_error.h"

namespace outrigger::api {

inline constexpr std::array<std::string_view, 7> kRunsParameters{"tenant_id", "language", "status", "since",
                                                                 "until",     "limit",    "before"};
inline constexpr std::size_t kMaxRuns = 1000;

// What GET /api/v1/runs asks for.
std::expected<store::RunQuery, wire::RequestError> parse_runs_query(std::string_view query);

// A place in the list as clients carry it from one page to the next: "2025-01-31T09:30:00.125000Z/JOB". Not to be made
// up by them, but readable.
std::string cursor_text(const store::RunCursor& cursor);

}  // namespace outrigger::api
