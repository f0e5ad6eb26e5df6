#include <charconv>
#include <limits>

#include "base/utf8.h"
#include "store_sql/run_row.h"
#include "wire/run_record.h"
#include "wire/time_text.h"

namespace outrigger::store::sql {
namespace {

using std::chrono::microseconds;
using std::chrono::system_clock;

bool is_storable(std::string_view text) { return text.find('\0') == std::string_view::npos && base::is_utf8(text); }

// Fills a row from left to right, and remembers the first column whose value can't be kept as it is.
class RowWriter {
 public:
  RowWriter& text(std::string_view value) {
    if (!is_storable(value)) refuse();
    return add(std::string(value));
  }
  RowWriter& text_or_null(const std::optional<std::string>& value) { return value ? text(*value) : null(); }
  RowWriter& number(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) refuse();
    return add(std::to_string(value));
  }
  RowWriter& number_or_null(const std::optional<std::uint64_t>& value) { return value ? number(*value) : null(); }
  RowWriter& signed_number_or_null(const std::optional<int>& value) {
    return value ? add(std::to_string(*value)) : null();
  }
  // The shortest decimals that are read back as this very time.
  RowWriter& milliseconds(microseconds value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.begin(), buffer.end(), static_cast<double>(value.count()) / 1000.0,
                                   std::chars_format::fixed);
    return add(std::string(buffer.data(), end.ptr));
  }
  RowWriter& milliseconds_or_null(const std::optional<microseconds>& value) {
    return value ? milliseconds(*value) : null();
  }
  RowWriter& boolean(bool value) { return add(value ? "1" : "0"); }
  RowWriter& time(system_clock::time_point value) { return add(wire::time_text(value)); }
  RowWriter& events(const std::vector<model::SecurityEvent>& events) {
    for (const auto& event : events) {
      bool storable = is_storable(event.type) && is_storable(event.detail) && is_storable(event.syscall);
      for (const auto& argument : event.args) storable = storable && is_storable(argument);
      if (!storable) refuse();
    }
    return add(wire::security_events_json(events));
  }
  RowWriter& limits(const model::Limits& limits) { return add(wire::limits_json(limits)); }

  [[nodiscard]] std::optional<std::size_t> refused() const { return refused_; }
  [[nodiscard]] RunRow& row() { return row_; }

 private:
  RowWriter& add(std::string value) {
    row_.at(next_++) = std::move(value);
    return *this;
  }
  RowWriter& null() {
    ++next_;
    return *this;
  }
  void refuse() {
    if (!refused_) refused_ = next_;
  }

  RunRow row_;
  std::size_t next_ = 0;
  std::optional<std::size_t> refused_;
};

void write_ending(RowWriter& row, const model::RunRecord& record) {
  const model::Outcome& outcome = record.outcome;
  row.text(outcome.job_id).text(outcome.tenant_id).text(outcome.language);
  row.text(record.code_sha256).number(record.code_bytes);
  row.text(model::status_name(outcome.status)).signed_number_or_null(outcome.exit_code).text_or_null(outcome.signal);
  row.text(outcome.cause.code).text(outcome.cause.text);
}

void write_usage(RowWriter& row, const model::Outcome& outcome) {
  const model::Usage& usage = outcome.usage;
  row.milliseconds(outcome.wall_time).milliseconds(outcome.queue_time);
  row.milliseconds_or_null(usage.cpu_time).milliseconds_or_null(usage.throttled_time);
  row.number_or_null(usage.periods).number_or_null(usage.throttled_periods);
  row.number_or_null(usage.peak_memory_bytes).number_or_null(usage.oom_kills);
  row.number_or_null(usage.memory_limit_hits).number_or_null(usage.peak_pids).number_or_null(usage.pids_limit_hits);
  row.number(outcome.stdout_stream.bytes).number(outcome.stderr_stream.bytes);
  row.boolean(outcome.stdout_stream.truncated).boolean(outcome.stderr_stream.truncated);
}

void write_rest(RowWriter& row, const model::RunRecord& record) {
  const model::Outcome& outcome = record.outcome;
  row.events(outcome.security_events).limits(outcome.limits);
  row.text(record.command).text(record.node);
  row.text_or_null(record.cgroup_driver.empty() ? std::nullopt : std::optional(record.cgroup_driver));
  row.text(wire::origin_name(record.origin)).number(record.attempt);
  row.time(record.received_at).time(outcome.started_at).time(outcome.ended_at);
  row.text_or_null(record.trace_id.empty() ? std::nullopt : std::optional(record.trace_id));
}

}  // namespace

base::Result<RunRow> row_of(const model::RunRecord& record) {
  RowWriter writer;
  write_ending(writer, record);
  write_usage(writer, record.outcome);
  write_rest(writer, record);
  if (const auto column = writer.refused()) {
    return row_refusal(record.outcome.job_id, *column, "holds a NUL, no UTF-8 or too large a number");
  }
  return std::move(writer.row());
}

}  // namespace outrigger::store::sql
