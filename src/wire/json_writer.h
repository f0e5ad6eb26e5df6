#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace outrigger::wire {

// Writes JSON text in the order it is told, without a tree in between. Strings come out as valid UTF-8 whatever went in
// (ill-formed bytes become U+FFFD), numbers as plain decimals, and what is not finite as null, since JSON has no
// infinity. The caller balances begin and end.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value);
  JsonWriter& text_or_null(std::string_view value) { return value.empty() ? null() : text(value); }
  JsonWriter& number(std::uint64_t value);
  JsonWriter& signed_number(std::int64_t value);
  JsonWriter& real(double value);
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  // A value that is JSON text already.
  JsonWriter& json(std::string_view value) { return raw(value); }
  // Milliseconds with the microseconds as decimals, trailing zeroes dropped, one kept: 3.1, 0.0.
  JsonWriter& milliseconds(std::chrono::microseconds value);
  // RFC 3339 in UTC with milliseconds: 2025-01-31T09:30:00.125Z.
  JsonWriter& timestamp(std::chrono::system_clock::time_point value);

  JsonWriter& number_or_null(const std::optional<std::uint64_t>& value) { return value ? number(*value) : null(); }

  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view token);
  void separate();
  void quote(std::string_view utf8);

  std::string out_;
  bool comma_ = false;  // the next value is not the first of its array or object
};

}  // namespace outrigger::wire
