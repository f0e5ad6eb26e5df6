#include "wire/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "wire/time_text.h"

namespace outrigger::wire {
namespace {

// Three digits with leading zeroes.
std::string thousandths(std::int64_t value) { return std::to_string(1000 + value).substr(1); }

template <typename T>
std::string_view decimal(std::array<char, 32>& buffer, T value) {
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

}  // namespace

void JsonWriter::separate() {
  if (comma_) out_ += ',';
  comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view token) {
  separate();
  out_ += token;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  text(name);
  out_ += ':';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  if (base::is_utf8(value)) {
    quote(value);
  } else {
    quote(base::to_utf8(value));
  }
  return *this;
}

void JsonWriter::quote(std::string_view utf8) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out_ += '"';
  std::size_t plain = 0;  // where the stretch that needs no escape began
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const char c = utf8[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\') continue;
    out_.append(utf8, plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"': out_ += "\\\""; break;
      case '\\': out_ += "\\\\"; break;
      case '\n': out_ += "\\n"; break;
      case '\r': out_ += "\\r"; break;
      case '\t': out_ += "\\t"; break;
      default:
        out_ += "\\u00";
        out_ += kHex[byte >> 4U];
        out_ += kHex[byte & 0xfU];
    }
  }
  out_.append(utf8, plain);
  out_ += '"';
}

JsonWriter& JsonWriter::number(std::uint64_t value) {
  std::array<char, 32> buffer{};
  return raw(decimal(buffer, value));
}

JsonWriter& JsonWriter::signed_number(std::int64_t value) {
  std::array<char, 32> buffer{};
  return raw(decimal(buffer, value));
}

JsonWriter& JsonWriter::real(double value) {
  if (!std::isfinite(value)) return null();
  std::array<char, 32> buffer{};
  return raw(decimal(buffer, value));
}

JsonWriter& JsonWriter::milliseconds(std::chrono::microseconds value) {
  const std::int64_t count = value.count() < 0 ? 0 : value.count();
  std::string text = std::to_string(count / 1000) + '.' + thousandths(count % 1000);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return raw(text);
}

JsonWriter& JsonWriter::timestamp(std::chrono::system_clock::time_point value) {
  std::string with_micros = time_text(value);
  with_micros.replace(with_micros.size() - 4, 3, "");
  return text(with_micros);
}

}  // namespace outrigger::wire
