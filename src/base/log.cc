#include "base/log.h"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

#include "base/utf8.h"

namespace outrigger::base {
namespace {

std::atomic<Level> minimum_level{Level::kInfo};
std::atomic<LogFormat> current_format{LogFormat::kText};
std::atomic<std::uint64_t> lost{0};    // since the start
std::atomic<std::uint64_t> untold{0};  // of those, the ones no line has told of

std::string_view level_name(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarn: return "warn";
    case Level::kError: return "error";
  }
  return "error";
}

// A JSON string (RFC 8259 section 7); also how text lines quote, so that no value can forge a second line.
std::string quoted(std::string_view raw) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : to_utf8(raw)) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xf];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string timestamp() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm parts{};
  static_cast<void>(::gmtime_r(&seconds, &parts));
  char buffer[40];
  const std::size_t length = std::strftime(buffer, sizeof buffer, "%FT%T", &parts);
  std::string fraction = std::to_string(1000 + millis);
  fraction[0] = '.';
  return std::string(buffer, length) + fraction + "Z";
}

std::string whole_line(Level level, std::string_view event, const LogFields& fields) {
  const LogFormat format = current_format.load(std::memory_order_relaxed);
  std::string line = format == LogFormat::kJson ? "{\"time\":\"" + timestamp() + "\"," : timestamp() + " ";
  line += format_line(format, level, event, fields);
  line += format == LogFormat::kJson ? "}\n" : "\n";
  return line;
}

// False: there is no room. Asked first, because O_NONBLOCK would be set for everyone who shares this stderr.
bool has_room() {
  pollfd stream{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  // Whatever is wrong with it, write() will see; it does not wait then.
  return ::poll(&stream, 1, 0) != 0;
}

bool write_line(const std::string& line) {
  if (!has_room()) return false;
  // A line that cannot be written has nowhere to be reported.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  return true;
}

void count_lost(std::uint64_t lines) {
  lost.fetch_add(lines, std::memory_order_relaxed);
  untold.fetch_add(lines, std::memory_order_relaxed);
}

bool tell_of_lost_lines() {
  const std::uint64_t count = untold.exchange(0, std::memory_order_relaxed);
  if (count == 0 || write_line(whole_line(Level::kWarn, "log_lines_lost", {{"count", count}}))) return true;
  untold.fetch_add(count, std::memory_order_relaxed);
  return false;
}

bool needs_quotes(std::string_view value) {
  if (value.empty()) return true;
  for (const char c : value) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte <= 0x20 || byte >= 0x7f || c == '"' || c == '\\' || c == '=') return true;
  }
  return false;
}

}  // namespace

LogValue::LogValue(std::chrono::microseconds time) : is_number(true) {
  const std::string thousandths = std::to_string(1000 + time.count() % 1000);
  text = std::to_string(time.count() / 1000) + '.' + thousandths.substr(1);
}

std::string format_line(LogFormat format, Level level, std::string_view event, const LogFields& fields) {
  std::string line;
  if (format == LogFormat::kJson) {
    line += "\"level\":" + quoted(level_name(level)) + ",\"event\":" + quoted(event);
    for (const auto& [key, value] : fields) {
      line += "," + quoted(key) + ":" + (value.is_number ? value.text : quoted(value.text));
    }
    return line;
  }
  line += level_name(level);
  line += ' ';
  line += event;
  for (const auto& [key, value] : fields) {
    line += ' ';
    line += key;
    line += '=';
    line += needs_quotes(value.text) ? quoted(value.text) : value.text;
  }
  return line;
}

void log(Level level, std::string_view event, const LogFields& fields) {
  if (level < minimum_level.load(std::memory_order_relaxed)) return;
  if (!tell_of_lost_lines() || !write_line(whole_line(level, event, fields))) count_lost(1);
}

std::uint64_t lost_log_lines() { return lost.load(std::memory_order_relaxed); }

void set_log_level(Level level) { minimum_level.store(level, std::memory_order_relaxed); }
void set_log_format(LogFormat format) { current_format.store(format, std::memory_order_relaxed); }

}  // namespace outrigger::base
