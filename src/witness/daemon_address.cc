#include "witness/daemon_address.h"

#include <string_view>

namespace outrigger::witness {
namespace {

std::string reachable(std::string_view listen) {
  constexpr std::string_view kAnyV4 = "0.0.0.0:";
  constexpr std::string_view kAnyV6 = "[::]:";
  if (listen.starts_with(kAnyV4)) return "127.0.0.1:" + std::string(listen.substr(kAnyV4.size()));
  if (listen.starts_with(kAnyV6)) return "[::1]:" + std::string(listen.substr(kAnyV6.size()));
  return std::string(listen);
}

}  // namespace

fleet::DaemonAddress find_daemon(const roster::Estate& estate, const config::Config& config) {
  fleet::DaemonAddress address;
  address.url = config.crows_nest.server;
  if (address.url.empty()) {
    if (const auto daemon = estate.daemon_card()) address.url = "http://" + reachable(daemon->listen);
  }
  address.token = config.crows_nest.token;
  if (address.token.empty() && !config.server.tokens.empty()) address.token = config.server.tokens.front();
  return address;
}

}  // namespace outrigger::witness
