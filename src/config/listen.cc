#include <arpa/inet.h>
#include <netinet/in.h>

#include <charconv>

#include "config/load.h"

namespace outrigger::config {
namespace {

std::unexpected<base::Error> refused(std::string_view text) {
  return base::failure(
      base::Code::kInvalid, "config",
      "must be HOST:PORT with a numeric address, such as 127.0.0.1:8080 or [::1]:8080, or localhost:PORT; "
      "it is \"" +
          std::string(text) + "\"");
}

bool is_v4(const std::string& host) {
  in_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool is_v6(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

}  // namespace

base::Status parse_listen(std::string_view text, Server& server) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refused(text);
  std::string host(text.substr(0, colon));
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (ec != std::errc{} || end != digits.data() + digits.size()) return refused(text);
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    if (!is_v6(host)) return refused(text);
  } else if (!is_v4(host)) {
    return refused(text);
  }
  server.host = std::move(host);
  server.port = port;
  return {};
}

bool is_loopback(const std::string& host) {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24U) == IN_LOOPBACKNET;
  in6_addr v6{};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) != 1) return false;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) return v6.s6_addr[12] == IN_LOOPBACKNET;
  return IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace outrigger::config
