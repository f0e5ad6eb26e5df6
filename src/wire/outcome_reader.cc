#include "wire/outcome_reader.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <cmath>

#include "model/limit_fields.h"
#include "wire/time_text.h"

namespace outrigger::wire {
namespace {

namespace json = boost::json;

constexpr double kMaxMicros = 1e15;  // 31 years

std::optional<double> read_number(const Fields& fields, std::string_view name, Refusal& refusal) {
  const json::value* value = fields.find(name);
  if (value == nullptr) return std::nullopt;
  json::error_code ec;
  const double out = value->to_number<double>(ec);
  if (!ec && std::isfinite(out)) return out;
  refusal.invalid(fields.path(name), "must be a number");
  return std::nullopt;
}

std::optional<std::uint64_t> read_count(const Fields& fields, std::string_view name, Refusal& refusal) {
  const auto value = read_number(fields, name, refusal);
  if (!value) return std::nullopt;
  if (*value >= 0 && *value < 0x1p63 && std::trunc(*value) == *value) return static_cast<std::uint64_t>(*value);
  refusal.invalid(fields.path(name), "must be a whole number, not negative");
  return std::nullopt;
}

}  // namespace

std::optional<double> OutcomeReader::number(std::string_view name) const {
  return read_number(fields_, name, refusal_);
}

std::optional<std::uint64_t> OutcomeReader::count(std::string_view name) const {
  return read_count(fields_, name, refusal_);
}

std::optional<std::uint64_t> OutcomeReader::count(std::string_view name, std::uint64_t most) const {
  const auto value = count(name);
  if (!value || *value <= most) return value;
  refusal_.invalid(fields_.path(name), "must not be more than " + std::to_string(most));
  return std::nullopt;
}

std::optional<std::chrono::microseconds> OutcomeReader::time(std::string_view name) const {
  const auto millis = number(name);
  if (!millis) return std::nullopt;
  if (*millis >= 0 && *millis * 1000 <= kMaxMicros) return std::chrono::microseconds{std::llround(*millis * 1000)};
  refusal_.invalid(fields_.path(name), "must be a time in milliseconds");
  return std::nullopt;
}

std::optional<std::chrono::microseconds> OutcomeReader::microseconds(std::string_view name) const {
  const auto value = count(name, static_cast<std::uint64_t>(kMaxMicros));
  if (!value) return std::nullopt;
  return std::chrono::microseconds(static_cast<std::int64_t>(*value));
}

std::chrono::system_clock::time_point OutcomeReader::moment(std::string_view name) const {
  constexpr std::chrono::system_clock::time_point kEpoch{};
  const auto time = parse_time(fields_.required_text(name));
  if (!time || *time < kEpoch) {
    refusal_.invalid(fields_.path(name), "must be a time as RFC 3339 has it, not before 1970");
  }
  return time.value_or(kEpoch);
}

model::Status OutcomeReader::status() const {
  const std::string_view name = fields_.required_text("status");
  for (std::size_t i = 0; i < model::kRecordedStatusCount; ++i) {
    const auto status = static_cast<model::Status>(i);
    if (model::status_name(status) == name) return status;
  }
  refusal_.invalid(fields_.path("status"), "is not one this program knows");
  return model::Status::kInternalError;
}

model::Cause OutcomeReader::cause() const {
  const json::object* object = fields_.optional_object("cause");
  if (object == nullptr) {
    refusal_.invalid(fields_.path("cause"), "is required");
    return {};
  }
  const Fields fields(*object, fields_.path("cause"), refusal_);
  return {std::string(fields.required_text("code")), std::string(fields.required_text("text"))};
}

void OutcomeReader::read_common(model::Outcome& out) const {
  out.job_id = fields_.required_text("job_id");
  out.tenant_id = fields_.required_text("tenant_id");
  out.language = fields_.required_text("language");
  read_ending(out);
  out.wall_time = time("wall_time_ms").value_or(std::chrono::microseconds{0});
  out.queue_time = time("queue_time_ms").value_or(std::chrono::microseconds{0});
  out.usage.cpu_time = time("cpu_time_ms");
  out.usage.throttled_time = time("throttled_time_ms");
  out.usage.peak_memory_bytes = count("peak_memory_bytes");
  out.usage.oom_kills = count("oom_kills");
  if (const json::array* array = fields_.optional_array("security_events")) {
    read_security_events(*array, refusal_, out.security_events);
  }
  if (const json::object* object = fields_.optional_object("limits")) read_known_limits(*object, refusal_, out.limits);
}

void OutcomeReader::read_counts(model::Usage& usage) const {
  usage.periods = count("nr_periods");
  usage.throttled_periods = count("nr_throttled");
  usage.memory_limit_hits = count("memory_max_events");
  usage.peak_pids = count("pids_peak");
  usage.pids_limit_hits = count("pids_limit_hits");
}

void read_security_events(const json::array& array, Refusal& refusal, std::vector<model::SecurityEvent>& events) {
  for (const json::value& each : array) {
    if (!each.is_object()) return refusal.invalid("security_events", "must hold objects");
    const Fields fields(each.get_object(), "security_events", refusal);
    model::SecurityEvent event{std::string(fields.required_text("type")),
                               std::string(fields.required_text("detail")),
                               read_count(fields, "count", refusal).value_or(1),
                               std::string(fields.optional_text("syscall")),
                               {}};
    const json::array* args = fields.optional_array("args");
    if (args != nullptr && !event.syscall.empty()) {
      for (const json::value& arg : *args) {
        if (arg.is_string()) event.args.emplace_back(arg.get_string().data(), arg.get_string().size());
      }
    }
    events.push_back(std::move(event));
  }
}

void read_known_limits(const json::object& object, Refusal& refusal, model::Limits& limits) {
  const Fields fields(object, "limits", refusal);
  for (const model::LimitField& field : model::kLimitFields) {
    const auto value = read_number(fields, field.name, refusal);
    if (value && *value >= field.minimum && *value <= field.maximum) field.set(limits, *value);
  }
}

}  // namespace outrigger::wire
