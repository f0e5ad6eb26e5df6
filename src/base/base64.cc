#include "base/base64.h"

#include <array>
#include <cstdint>

namespace outrigger::base {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kInvalid = 0xff;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kInvalid);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values.at(static_cast<std::uint8_t>(kAlphabet[i])) = static_cast<std::uint8_t>(i);
  return values;
}();

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    }
    const std::size_t present = bytes.size() - i;
    out += kAlphabet[group >> 18];
    out += kAlphabet[(group >> 12) & 63];
    out += present > 1 ? kAlphabet[(group >> 6) & 63] : '=';
    out += present > 2 ? kAlphabet[group & 63] : '=';
  }
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text.substr(0, text.size() - padding)) {
    const std::uint8_t value = kValues.at(static_cast<std::uint8_t>(c));
    if (value == kInvalid) return std::nullopt;
    bits = ((bits << 6) | value) & 0xffffff;
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += static_cast<char>((bits >> have) & 0xff);
    }
  }
  if ((bits & ((1U << have) - 1)) != 0) return std::nullopt;
  return out;
}

std::string base64_decode_loosely(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int have = 0;
  for (char c : text.substr(0, text.find('='))) {
    if (c == '-') c = '+';
    if (c == '_') c = '/';
    const std::uint8_t value = kValues.at(static_cast<std::uint8_t>(c));
    if (value == kInvalid) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += static_cast<char>((bits >> have) & 0xff);
    }
  }
  return out;
}

}  // namespace outrigger::base
