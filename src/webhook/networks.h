#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace outrigger::webhook {

// An IPv4 or IPv6 address as it stands in a packet.
struct IpAddress {
  int family = AF_UNSPEC;  // AF_INET, AF_INET6
  std::array<std::uint8_t, 16> bytes{};

  [[nodiscard]] std::string text() const;
};

// Only the plain forms: "10.0.0.1", "fd00::1"; no zone, no brackets.
std::optional<IpAddress> parse_ip(std::string_view text);
std::optional<IpAddress> ip_of(const sockaddr& address);

struct Network {
  IpAddress address;
  unsigned prefix = 0;  // bits

  [[nodiscard]] bool contains(const IpAddress& one) const;
};

// "10.0.0.0/8". Nothing where bits beyond the prefix are set: such a text means less than its writer thinks.
std::optional<Network> parse_network(std::string_view text);

// Whether callbacks may go to an address: those of the public internet, and those inside `permitted`. kInvalid names
// what the address is ("loopback"). IPv6 addresses that stand for IPv4 ones are judged by their own form: they are
// refused, whatever they stand for, unless they are permitted as IPv6.
base::Status check_address(const IpAddress& address, const std::vector<Network>& permitted);

}  // namespace outrigger::webhook
