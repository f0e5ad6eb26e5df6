#include "api/runs_query.h"

#include <charconv>
#include <optional>

#include "api/query.h"
#include "base/ids.h"
#include "wire/time_text.h"

namespace outrigger::api {
namespace {

using wire::RequestError;

std::optional<model::Status> status_of(std::string_view name) {
  for (std::size_t i = 0; i < model::kRecordedStatusCount; ++i) {
    const auto status = static_cast<model::Status>(i);
    if (model::status_name(status) == name) return status;
  }
  return std::nullopt;
}

std::optional<store::RunCursor> cursor_of(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto time = wire::parse_time(text.substr(0, slash));
  const std::string_view id = text.substr(slash + 1);
  if (!time || !base::is_job_id(id)) return std::nullopt;
  return store::RunCursor{*time, std::string(id)};
}

std::optional<std::size_t> count_of(std::string_view text) {
  std::size_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size() || value < 1 || value > kMaxRuns) return std::nullopt;
  return value;
}

// One parameter into the query; the rule it breaks, where it does.
std::string_view apply(store::RunQuery& query, const std::string& name, const std::string& value) {
  if (name == "tenant_id") {
    query.tenant_id = value;
    return base::is_tenant_id(value) ? "" : "must be 1 to 64 of A-Z a-z 0-9 . _ -";
  }
  if (name == "language") {
    query.language = value;
    return value.empty() ? "must not be empty" : "";
  }
  if (name == "status") {
    query.status = status_of(value);
    return query.status ? "" : "must be a job's status, as \"completed\" or \"timeout\"";
  }
  if (name == "limit") {
    const auto limit = count_of(value);
    query.limit = limit.value_or(0);
    return limit ? "" : "must be an integer from 1 to 1000";
  }
  if (name == "before") {
    query.before = cursor_of(value);
    return query.before ? "" : "must be the next_before of an earlier answer";
  }
  const auto time = wire::parse_time(value);
  (name == "since" ? query.since : query.until) = time;
  return time ? "" : "must be a time as 2025-01-31T09:30:00Z";
}

}  // namespace

std::expected<store::RunQuery, RequestError> parse_runs_query(std::string_view text) {
  const auto parameters = parse_query(text, kRunsParameters);
  if (!parameters) return std::unexpected(parameters.error());
  store::RunQuery query;
  for (const auto& [name, value] : *parameters) {
    const std::string_view broken = apply(query, name, value);
    if (!broken.empty()) {
      return std::unexpected(RequestError{base::Code::kInvalid, name, name + " " + std::string(broken)});
    }
  }
  return query;
}

std::string cursor_text(const store::RunCursor& cursor) {
  return wire::time_text(cursor.started_at) + "/" + cursor.job_id;
}

}  // namespace outrigger::api
