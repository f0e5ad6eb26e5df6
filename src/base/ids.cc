#include "base/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace outrigger::base {
namespace {

constexpr std::size_t kMaxIdLength = 64;
constexpr std::size_t kTimeBytes = 6;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

std::string new_job_id() {
  std::array<std::uint8_t, 16> bytes{};
  // Only fails for a bad address; a short read cannot happen below 256 bytes once the pool is seeded (getrandom(2)).
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  auto millis = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  for (std::size_t i = kTimeBytes; i-- > 0; millis >>= 8) bytes.at(i) = static_cast<std::uint8_t>(millis & 0xff);

  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string id;
  id.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    id += kHex.at(byte >> 4);
    id += kHex.at(byte & 0xf);
  }
  return id;
}

bool is_job_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdLength && text.front() != '-' &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || is_lower(c) || c == '-'; });
}

bool is_tenant_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdLength && std::ranges::all_of(text, [](char c) {
    return is_digit(c) || is_lower(c) || is_upper(c) || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace outrigger::base
