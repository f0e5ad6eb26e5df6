#include <charconv>
#include <system_error>

#include "http/client.h"

namespace outrigger::http {

std::expected<Address, std::string> parse_server(std::string_view url) {
  const std::string given(url);
  const auto refused =
      std::unexpected("\"" + given + "\" is no address of a daemon: it must look like http://HOST:PORT");
  if (url.starts_with("https://")) {
    return std::unexpected("\"" + given +
                           "\": https is not spoken here; put a TLS proxy in front and name its http side");
  }
  if (!url.starts_with("http://")) return refused;
  url.remove_prefix(7);
  if (url.ends_with('/')) url.remove_suffix(1);
  Address address;
  std::string_view port;
  if (url.starts_with('[')) {
    const auto close = url.find(']');
    if (close == std::string_view::npos) return refused;
    address.host = url.substr(1, close - 1);
    url.remove_prefix(close + 1);
    if (!url.empty() && !url.starts_with(':')) return refused;
    if (!url.empty()) port = url.substr(1);
    if (!url.empty() && port.empty()) return refused;
  } else {
    const auto colon = url.find(':');
    address.host = url.substr(0, colon);
    if (colon != std::string_view::npos) port = url.substr(colon + 1);
    if (colon != std::string_view::npos && port.empty()) return refused;
  }
  if (address.host.empty() || address.host.find_first_of("/@?# \t\r\n") != std::string::npos) return refused;
  if (port.empty()) return address;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || address.port == 0) return refused;
  return address;
}

}  // namespace outrigger::http
