#include "webhook/networks.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace outrigger::webhook {
namespace {

struct Reserved {
  Network network;
  std::string_view what;
};

Network known_network(std::string_view text) {
  const auto network = parse_network(text);
  if (!network) throw std::logic_error("not a network");
  return *network;
}

// IANA's registries of special-purpose addresses (RFC 6890 and what has been entered since), and multicast.
const std::vector<Reserved>& reserved() {
  static const std::vector<Reserved> kReserved = [] {
    std::vector<Reserved> list;
    const auto add = [&](std::string_view network, std::string_view what) {
      list.push_back({known_network(network), what});
    };
    add("0.0.0.0/8", "unspecified");
    add("10.0.0.0/8", "private");
    add("100.64.0.0/10", "carrier-grade NAT");
    add("127.0.0.0/8", "loopback");
    add("168.63.129.16/32", "a cloud's metadata");
    add("169.254.0.0/16", "link-local");
    add("172.16.0.0/12", "private");
    add("192.0.0.0/24", "reserved");
    add("192.0.2.0/24", "documentation");
    add("192.88.99.0/24", "a 6to4 relay");
    add("192.168.0.0/16", "private");
    add("198.18.0.0/15", "benchmarking");
    add("198.51.100.0/24", "documentation");
    add("203.0.113.0/24", "documentation");
    add("224.0.0.0/4", "multicast");
    add("240.0.0.0/4", "reserved");
    add("::/128", "unspecified");
    add("::1/128", "loopback");
    add("::ffff:0:0/96", "IPv4-mapped");
    add("64:ff9b::/96", "NAT64");
    add("64:ff9b:1::/48", "NAT64");
    add("2001::/23", "reserved");
    add("2001:db8::/32", "documentation");
    add("2002::/16", "6to4");
    add("3fff::/20", "documentation");
    add("fc00::/7", "private");
    add("fe80::/10", "link-local");
    add("ff00::/8", "multicast");
    return list;
  }();
  return kReserved;
}

// What is handed out of IPv6 so far; outside of it nothing is public, listed or not.
const Network& global_unicast() {
  static const Network kGlobal = known_network("2000::/3");
  return kGlobal;
}

std::string_view what_it_is(const IpAddress& address) {
  for (const Reserved& one : reserved()) {
    if (one.network.contains(address)) return one.what;
  }
  if (address.family == AF_INET6 && !global_unicast().contains(address)) return "reserved";
  return {};
}

std::size_t size_of(int family) { return family == AF_INET ? 4 : 16; }

}  // namespace

std::string IpAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  if (::inet_ntop(family, bytes.data(), buffer.data(), buffer.size()) == nullptr) return "no address";
  return buffer.data();
}

std::optional<IpAddress> parse_ip(std::string_view text) {
  const std::string zero_ended(text);
  IpAddress address;
  for (const int family : {AF_INET, AF_INET6}) {
    address.family = family;
    if (!text.contains('\0') && ::inet_pton(family, zero_ended.c_str(), address.bytes.data()) == 1) return address;
  }
  return std::nullopt;
}

std::optional<IpAddress> ip_of(const sockaddr& address) {
  IpAddress out;
  out.family = address.sa_family;
  if (address.sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    std::memcpy(out.bytes.data(), &in.sin_addr, sizeof in.sin_addr);
    return out;
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, &address, sizeof in);
    std::memcpy(out.bytes.data(), &in.sin6_addr, sizeof in.sin6_addr);
    return out;
  }
  return std::nullopt;
}

bool Network::contains(const IpAddress& one) const {
  if (one.family != address.family) return false;
  for (unsigned bit = 0; bit < prefix; bit += 8) {
    const unsigned wanted = std::min(prefix - bit, 8U);
    const auto mask = static_cast<std::uint8_t>(0xff00U >> wanted);
    if (((one.bytes.at(bit / 8) ^ address.bytes.at(bit / 8)) & mask) != 0) return false;
  }
  return true;
}

std::optional<Network> parse_network(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = parse_ip(text.substr(0, slash));
  const std::string_view digits = text.substr(slash + 1);
  unsigned prefix = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
  if (!address || digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  const auto bits = static_cast<unsigned>(size_of(address->family) * 8);
  if (prefix > bits) return std::nullopt;
  for (unsigned bit = prefix; bit < bits; ++bit) {
    if ((address->bytes.at(bit / 8) & (0x80U >> (bit % 8))) != 0) return std::nullopt;
  }
  return Network{*address, prefix};
}

base::Status check_address(const IpAddress& address, const std::vector<Network>& permitted) {
  const std::string_view what = what_it_is(address);
  if (what.empty()) return {};
  if (std::ranges::any_of(permitted, [&](const Network& network) { return network.contains(address); })) return {};
  return base::failure(base::Code::kInvalid, "callback_address",
                       address.text() + " is " + std::string(what) + ", and in no permitted network");
}

}  // namespace outrigger::webhook
