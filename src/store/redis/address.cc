#include "store_redis/address.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "store_redis/redis.h"

namespace outrigger::store_redis {
namespace {

constexpr std::string_view kTcp = "redis://";
constexpr std::string_view kUnix = "unix://";
constexpr std::size_t kLongestSocketPath = 107;  // unix(7): sun_path, and its zero byte

std::unexpected<base::Error> refuse(std::string_view rule) {
  return base::failure(base::Code::kInvalid, "redis_url", rule);
}

template <typename T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// RFC 3986 section 2.1.
std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.front() != '%') {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    unsigned value = 0;
    if (text.size() < 3) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, value, 16);
    if (error != std::errc() || end != text.data() + 3) return std::nullopt;
    out += static_cast<char>(value);
    text.remove_prefix(3);
  }
  return out;
}

// Takes "[[user]:password@]" off the front of `rest`.
base::Status take_credentials(std::string_view& rest, Address& address) {
  // Not the first '@': a password that was not encoded is then refused below, instead of being taken for a host.
  const auto at = rest.rfind('@');
  if (at == std::string_view::npos) return {};
  const std::string_view credentials = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  const auto colon = credentials.find(':');
  if (colon == std::string_view::npos) return refuse("a user needs a password: user:password@, or :password@");
  if (credentials.find_first_of(":@/?#", colon + 1) != std::string_view::npos ||
      credentials.substr(0, colon).find_first_of("@/?#") != std::string_view::npos) {
    return refuse("user and password must be percent-encoded where they hold one of :/@?#%");
  }
  const auto user = percent_decoded(credentials.substr(0, colon));
  const auto password = percent_decoded(credentials.substr(colon + 1));
  if (!user || !password)
    return refuse("a percent sign in user or password must be followed by two hexadecimal digits");
  if (password->empty()) return refuse("the password is empty");
  address.user = *user;
  address.password = *password;
  return {};
}

base::Status set_database(std::string_view text, Address& address) {
  const auto database = number<std::uint32_t>(text);
  if (!database) return refuse("the database must be a number");
  address.database = *database;
  return {};
}

base::Status set_host_and_port(std::string_view text, Address& address) {
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos) return refuse("the IPv6 address lacks its closing bracket");
    address.host = text.substr(1, close - 1);
    port = text.substr(close + 1);
    has_port = !port.empty();
    if (has_port && !port.starts_with(':')) return refuse("only :port may follow the IPv6 address");
    if (has_port) port.remove_prefix(1);
  } else {
    const auto colon = text.find(':');
    address.host = text.substr(0, colon);
    has_port = colon != std::string_view::npos;
    if (has_port) port = text.substr(colon + 1);
  }
  if (address.host.empty()) return refuse("there is no host");
  if (address.host.find_first_of("?# \t\r\n") != std::string::npos)
    return refuse("the host holds a forbidden character");
  if (!has_port) return {};
  const auto value = number<std::uint16_t>(port);
  if (!value || *value == 0) return refuse("the port must be a number from 1 to 65535");
  address.port = *value;
  return {};
}

base::Status parse_tcp(std::string_view rest, Address& address) {
  if (const auto status = take_credentials(rest, address); !status) return status;
  const auto slash = rest.find('/');
  if (slash != std::string_view::npos && slash + 1 < rest.size()) {
    if (const auto status = set_database(rest.substr(slash + 1), address); !status) return status;
  }
  return set_host_and_port(rest.substr(0, slash), address);
}

base::Status parse_unix(std::string_view rest, Address& address) {
  static constexpr std::string_view kDatabase = "db=";
  if (const auto status = take_credentials(rest, address); !status) return status;
  const auto question = rest.find('?');
  address.path = rest.substr(0, question);
  if (!address.path.starts_with('/') || address.path.size() < 2) return refuse("the socket's path must be absolute");
  if (address.path.size() > kLongestSocketPath) return refuse("the socket's path is longer than 107 bytes");
  if (question == std::string_view::npos) return {};
  const std::string_view query = rest.substr(question + 1);
  if (!query.starts_with(kDatabase)) return refuse("after the socket's path only ?db=NUMBER may stand");
  return set_database(query.substr(kDatabase.size()), address);
}

}  // namespace

std::string Address::place() const {
  const std::string shown = host.contains(':') ? "[" + host + "]" : host;
  const std::string server = host.empty() ? path : shown + ":" + std::to_string(port);
  return server + "/" + std::to_string(database);
}

base::Result<Address> parse_url(std::string_view url) {
  Address address;
  if (url.contains('\0')) return refuse("it holds a zero byte");
  base::Status status;
  if (url.starts_with(kTcp)) {
    status = parse_tcp(url.substr(kTcp.size()), address);
  } else if (url.starts_with(kUnix)) {
    status = parse_unix(url.substr(kUnix.size()), address);
  } else {
    status = refuse("it must begin with redis:// or unix://; TLS (rediss://) is not spoken");
  }
  if (!status) return std::unexpected(status.error());
  return address;
}

base::Result<std::string> redis_place(std::string_view url) {
  const auto address = parse_url(url);
  if (!address) return std::unexpected(address.error());
  return address->place();
}

}  // namespace outrigger::store_redis
