#include "webhook/url_rules.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "webhook/parsed_url.h"

namespace outrigger::webhook {
namespace {

std::unexpected<base::Error> invalid(std::string_view step, std::string_view rule) {
  return base::failure(base::Code::kInvalid, step, rule);
}

bool is_name(std::string_view text) {
  static constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-._";
  return !text.empty() && !text.starts_with('.') && !text.ends_with('.') && !text.contains("..") &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

// "[fd00::1]" or "10.0.0.1".
std::optional<IpAddress> literal(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) return parse_ip(host.substr(1, host.size() - 2));
  return host.contains(':') ? std::nullopt : parse_ip(host);
}

}  // namespace

base::Result<UrlRules> UrlRules::make(std::span<const std::string> allowed_hosts,
                                      std::span<const std::string> permitted_networks) {
  UrlRules rules;
  for (const std::string& text : allowed_hosts) {
    auto pattern = parse_pattern(text);
    if (!pattern) {
      return invalid("allowed_hosts", "\"" + text + "\" must be a host, or *. and a domain, with or without :PORT");
    }
    rules.hosts_.push_back(std::move(*pattern));
  }
  for (const std::string& text : permitted_networks) {
    const auto network = parse_network(text);
    if (!network) {
      return invalid("permitted_networks",
                     "\"" + text + "\" must be a network such as 10.0.0.0/8, with no bit set beyond it");
    }
    rules.permitted_.push_back(*network);
  }
  return rules;
}

base::Result<UrlRules> UrlRules::only(const std::string& url) {
  const auto parsed = parse_url(url);
  if (!parsed) return std::unexpected(parsed.error());
  static const std::array<std::string, 2> kAnywhere{"0.0.0.0/0", "::/0"};
  const std::array<std::string, 1> host{parsed->host + ":" + std::to_string(parsed->port)};
  return make(host, kAnywhere);
}

std::optional<UrlRules::HostPattern> UrlRules::parse_pattern(std::string_view text) {
  HostPattern pattern;
  const auto colon = text.rfind(':');
  const auto bracket = text.rfind(']');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pattern.port);
    if (error != std::errc() || end != digits.data() + digits.size() || pattern.port == 0) return std::nullopt;
    text = text.substr(0, colon);
  }
  if (text.starts_with("*.")) {
    pattern.below = true;
    text.remove_prefix(2);
  }
  pattern.name = text;
  std::ranges::transform(pattern.name, pattern.name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (pattern.name.starts_with('[')) {
    const auto address = literal(pattern.name);
    if (pattern.below || !address || address->family != AF_INET6) return std::nullopt;
    pattern.name = "[" + address->text() + "]";
    return pattern;
  }
  if (!is_name(pattern.name)) return std::nullopt;
  return pattern;
}

bool UrlRules::HostPattern::allows(std::string_view host, std::uint16_t wanted, std::uint16_t scheme_port) const {
  if (wanted != (port == 0 ? scheme_port : port)) return false;
  if (!below) return host == name;
  return host.size() > name.size() + 1 && host.ends_with(name) && host[host.size() - name.size() - 1] == '.';
}

base::Status UrlRules::check(const std::string& url) const {
  const auto parsed = parse_url(url);
  if (!parsed) return std::unexpected(parsed.error());
  std::string host = parsed->host;
  const auto address = literal(host);
  if (host.starts_with('[')) {
    if (!address) return invalid("callback_url", "its IPv6 address is none");
    host = "[" + address->text() + "]";
  }
  const bool allowed = std::ranges::any_of(hosts_, [&](const HostPattern& pattern) {
    // "*.0.0.1" is no way to say 10.0.0.1.
    return (!address || !pattern.below) && pattern.allows(host, parsed->port, parsed->scheme_port);
  });
  if (!allowed) return invalid("callback_url", "its host and port are not among those allowed");
  return address ? check_address(*address) : base::Status();
}

base::Status UrlRules::check_address(const IpAddress& address) const {
  return webhook::check_address(address, permitted_);
}

}  // namespace outrigger::webhook
