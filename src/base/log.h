#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace outrigger::base {

enum class Level { kDebug, kInfo, kWarn, kError };
enum class LogFormat { kText, kJson };

using LogFields = std::initializer_list<std::pair<std::string_view, std::string>>;

// One line to stderr in one write(2), so lines of several processes never mix. Never given code, output or secrets.
// `event` is a fixed snake_case word to search for, the fields say which one: log(kInfo, "job_finished", {{"job_id",
// id}}).
void log(Level level, std::string_view event, LogFields fields = {});

void set_log_level(Level level);
void set_log_format(LogFormat format);

// The line that log() writes, without its time; for tests.
std::string format_line(LogFormat format, Level level, std::string_view event, LogFields fields);

}  // namespace outrigger::base
