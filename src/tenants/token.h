#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace outrigger::tenants {

// In the place of a tenant: the token is an operator's.
inline constexpr std::string_view kAnyTenant = "*";
inline constexpr std::size_t kMaxNote = 200;  // bytes

// A token as it is kept. The token itself is nowhere: it was shown once, when it was made.
struct Token {
  std::string id;      // short; names it in lists and logs
  std::string tenant;  // or kAnyTenant
  std::string sha256;  // of the token's text: 64 lower-case hexadecimal digits
  std::chrono::system_clock::time_point created;
  std::optional<std::chrono::system_clock::time_point> expires;
  std::optional<std::chrono::system_clock::time_point> revoked;
  std::string note;  // the operator's own words

  [[nodiscard]] bool is_valid_at(std::chrono::system_clock::time_point now) const {
    return !revoked && (!expires || now < *expires);
  }
};

// A token nobody can guess: "otr_" and 64 hexadecimal digits, 256 bits of getrandom(2).
std::string new_secret();
// 8 hexadecimal digits.
std::string new_token_id();
// 1 to 32 of [0-9a-z-], not beginning with a dash.
bool is_token_id(std::string_view text);
// What may stand in Token::tenant.
bool is_token_tenant(std::string_view text);

}  // namespace outrigger::tenants
