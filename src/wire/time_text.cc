#include "wire/time_text.h"

#include <cstddef>
#include <cstdint>

namespace outrigger::wire {
namespace {

using std::chrono::microseconds;
using std::chrono::system_clock;

// Exactly `digits` decimal digits at the front of `text`, which they are taken from.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, std::string_view one_of) {
  if (text.empty() || one_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// Whole years that a time_point can hold: nanoseconds since 1970 in 64 bits.
constexpr int kFirstYear = 1678;
constexpr int kLastYear = 2261;

// The decimals of a second, and the dot before them; none is well too.
std::optional<microseconds> take_fraction(std::string_view& text) {
  if (!take(text, ".")) return microseconds{0};
  std::int64_t value = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits < 6) value = value * 10 + (text[digits] - '0');
  }
  if (digits == 0 || digits > 9) return std::nullopt;
  for (std::size_t i = digits; i < 6; ++i) value *= 10;
  text.remove_prefix(digits);
  return microseconds{value};
}

// Minutes east of UTC.
std::optional<std::chrono::minutes> take_offset(std::string_view& text) {
  if (take(text, "Zz")) return std::chrono::minutes{0};
  const bool west = text.starts_with('-');
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_number(text, 2);
  if (!hours || !take(text, ":")) return std::nullopt;
  const auto minutes = take_number(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::chrono::minutes offset{*hours * 60 + *minutes};
  return west ? -offset : offset;
}

// `value` with so many digits, ending where the place ends.
void put_digits(std::string& text, std::size_t at, std::size_t digits, std::int64_t value) {
  for (std::size_t i = at + digits; i-- > at; value /= 10) text[i] = static_cast<char>('0' + value % 10);
}

}  // namespace

std::string time_text(system_clock::time_point time) {
  const auto micros = std::chrono::floor<microseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(micros);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(micros - day);
  // Not by strftime, which several texts a job would wait for.
  std::string text = "0000-00-00T00:00:00.000000Z";
  put_digits(text, 0, 4, static_cast<int>(date.year()));
  put_digits(text, 5, 2, static_cast<unsigned>(date.month()));
  put_digits(text, 8, 2, static_cast<unsigned>(date.day()));
  put_digits(text, 11, 2, clock.hours().count());
  put_digits(text, 14, 2, clock.minutes().count());
  put_digits(text, 17, 2, clock.seconds().count());
  put_digits(text, 20, 6, clock.subseconds().count());
  return text;
}

std::optional<system_clock::time_point> parse_time(std::string_view text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day || !take(text, "Tt ")) return std::nullopt;
  const auto hour = take_number(text, 2);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || !take(text, ":")) return std::nullopt;
  const auto second = take_number(text, 2);
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto fraction = take_fraction(text);
  if (!fraction) return std::nullopt;
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year}, std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok() || *year < kFirstYear || *year > kLastYear) return std::nullopt;
  return std::chrono::sys_days{date} + std::chrono::hours{*hour} + std::chrono::minutes{*minute} - *offset +
         std::chrono::seconds{*second} + *fraction;
}

}  // namespace outrigger::wire
