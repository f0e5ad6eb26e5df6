#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrigger::base {

enum class Level { kDebug, kInfo, kWarn, kError };
enum class LogFormat { kText, kJson };

// What a field says: a text, or a number, which in JSON is one.
struct LogValue {
  LogValue(std::string value) : text(std::move(value)) {}
  LogValue(std::string_view value) : text(value) {}
  LogValue(const char* value) : text(value) {}
  LogValue(std::integral auto value) : text(std::to_string(value)), is_number(true) {}
  LogValue(std::chrono::microseconds time);  // in milliseconds, with three decimals

  std::string text;
  bool is_number = false;
};

using LogField = std::pair<std::string_view, LogValue>;
using LogFields = std::vector<LogField>;

// One line to stderr in one write(2), so lines of several processes never mix. Never given code, output or secrets.
// `event` is a fixed snake_case word to search for, the fields say which one: log(kInfo, "job_finished", {{"job_id",
// id}}).
//
// Does not wait for whoever reads stderr: a line that finds no room there (a pipe nobody empties, a stopped terminal)
// is lost, and the next one that finds some comes after a line `log_lines_lost` with their count. A line longer than
// PIPE_BUF (4096) bytes may wait for room for its end: pipe(7) promises that of so many and no more.
void log(Level level, std::string_view event, const LogFields& fields = {});

// How many lines this process has lost so.
std::uint64_t lost_log_lines();

void set_log_level(Level level);
void set_log_format(LogFormat format);

// The line that log() writes, without its time; for tests.
std::string format_line(LogFormat format, Level level, std::string_view event, const LogFields& fields);

}  // namespace outrigger::base
