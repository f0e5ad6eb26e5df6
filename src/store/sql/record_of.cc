#include <charconv>
#include <cmath>

#include "store_sql/run_row.h"
#include "wire/run_record.h"
#include "wire/time_text.h"

namespace outrigger::store::sql {
namespace {

using std::chrono::microseconds;
using std::chrono::system_clock;

// Takes a row from left to right, and remembers the first column that holds something else than it should.
class RowReader {
 public:
  explicit RowReader(const RunRow& row) : row_(row) {}

  std::optional<std::string> text_or_null() { return row_.at(next_++); }
  std::string text() { return required(text_or_null()); }
  template <typename Number>
  std::optional<Number> number_or_null() {
    const auto& value = row_.at(next_++);
    if (!value) return std::nullopt;
    Number number{};
    const auto end = std::from_chars(value->data(), value->data() + value->size(), number);
    if (end.ec != std::errc{} || end.ptr != value->data() + value->size()) refuse();
    return number;
  }
  template <typename Number = std::uint64_t>
  Number number() {
    return required(number_or_null<Number>());
  }
  std::optional<microseconds> milliseconds_or_null() {
    const auto value = number_or_null<double>();
    if (!value) return std::nullopt;
    constexpr double kLargest = 9.0e15;  // in microseconds: what a double counts one by one
    const double micros = *value * 1000.0;
    if (!(micros > -kLargest && micros < kLargest)) {
      refuse();
      return std::nullopt;
    }
    return microseconds{std::llround(micros)};
  }
  microseconds milliseconds() { return required(milliseconds_or_null()); }
  bool boolean() {
    const std::string value = text();
    const bool truth = value == "1" || value == "t";
    if (!truth && value != "0" && value != "f") refuse();
    return truth;
  }
  system_clock::time_point time() { return required(wire::parse_time(text())); }
  model::Status status() {
    const std::string name = text();
    for (std::size_t i = 0; i < model::kRecordedStatusCount; ++i) {
      if (model::status_name(static_cast<model::Status>(i)) == name) return static_cast<model::Status>(i);
    }
    refuse();
    return model::Status::kInternalError;
  }
  void json_columns(model::Outcome& out) {
    const std::string events = text();
    const std::string limits = text();
    if (!wire::parse_json_columns(events, limits, out)) refuse();
  }

  [[nodiscard]] std::optional<std::size_t> refused() const { return refused_; }

 private:
  template <typename Value>
  Value required(std::optional<Value> value) {
    if (!value) refuse();
    return std::move(value).value_or(Value{});
  }
  // Of the column before the next: it has been taken already.
  void refuse() {
    if (!refused_) refused_ = next_ - 1;
  }

  const RunRow& row_;
  std::size_t next_ = 0;
  std::optional<std::size_t> refused_;
};

void read_ending(RowReader& row, model::RunRecord& record) {
  model::Outcome& outcome = record.outcome;
  outcome.job_id = row.text();
  outcome.tenant_id = row.text();
  outcome.language = row.text();
  record.code_sha256 = row.text();
  record.code_bytes = row.number();
  outcome.status = row.status();
  outcome.exit_code = row.number_or_null<int>();
  outcome.signal = row.text_or_null();
  outcome.cause.code = row.text();
  outcome.cause.text = row.text();
}

void read_usage(RowReader& row, model::Outcome& outcome) {
  model::Usage& usage = outcome.usage;
  outcome.wall_time = row.milliseconds();
  outcome.queue_time = row.milliseconds();
  usage.cpu_time = row.milliseconds_or_null();
  usage.throttled_time = row.milliseconds_or_null();
  usage.periods = row.number_or_null<std::uint64_t>();
  usage.throttled_periods = row.number_or_null<std::uint64_t>();
  usage.peak_memory_bytes = row.number_or_null<std::uint64_t>();
  usage.oom_kills = row.number_or_null<std::uint64_t>();
  usage.memory_limit_hits = row.number_or_null<std::uint64_t>();
  usage.peak_pids = row.number_or_null<std::uint64_t>();
  usage.pids_limit_hits = row.number_or_null<std::uint64_t>();
  outcome.stdout_stream.bytes = row.number();
  outcome.stderr_stream.bytes = row.number();
  outcome.stdout_stream.truncated = row.boolean();
  outcome.stderr_stream.truncated = row.boolean();
}

void read_rest(RowReader& row, model::RunRecord& record) {
  row.json_columns(record.outcome);
  record.command = row.text();
  record.node = row.text();
  record.cgroup_driver = row.text_or_null().value_or("");
  record.origin =
      row.text() == wire::origin_name(model::Origin::kQueue) ? model::Origin::kQueue : model::Origin::kDirect;
  record.attempt = row.number<std::uint32_t>();
  record.received_at = row.time();
  record.outcome.started_at = row.time();
  record.outcome.ended_at = row.time();
  record.trace_id = row.text_or_null().value_or("");
}

}  // namespace

base::Result<model::RunRecord> record_of(const RunRow& row) {
  RowReader reader(row);
  model::RunRecord record;
  read_ending(reader, record);
  read_usage(reader, record.outcome);
  read_rest(reader, record);
  if (const auto column = reader.refused()) {
    return row_refusal(row.front().value_or(""), *column, "is not what Outrigger writes");
  }
  return record;
}

}  // namespace outrigger::store::sql
