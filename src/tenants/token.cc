#include "tenants/token.h"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "base/ids.h"

namespace outrigger::tenants {
namespace {

template <std::size_t Bytes>
std::string random_hex() {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::array<std::uint8_t, Bytes> bytes{};
  // Whole below 256 bytes, once the pool is seeded (getrandom(2)).
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kHex.at(byte >> 4U);
    text += kHex.at(byte & 0xfU);
  }
  return text;
}

}  // namespace

std::string new_secret() { return "otr_" + random_hex<32>(); }

std::string new_token_id() { return random_hex<4>(); }

bool is_token_id(std::string_view text) { return text.size() <= 32 && base::is_job_id(text); }

bool is_token_tenant(std::string_view text) { return text == kAnyTenant || base::is_tenant_id(text); }

}  // namespace outrigger::tenants
