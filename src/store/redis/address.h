#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace outrigger::store_redis {

struct Address {
  std::string host;  // empty: `path` is that of a unix socket
  std::uint16_t port = 6379;
  std::string path;
  std::string user;  // empty: the default user
  std::string password;
  std::uint32_t database = 0;

  // Without user and password.
  [[nodiscard]] std::string place() const;
};

// kInvalid: `context` names the rule that was broken, and quotes nothing of the URL, since all of it may be a password
// in the wrong place.
base::Result<Address> parse_url(std::string_view url);

}  // namespace outrigger::store_redis
