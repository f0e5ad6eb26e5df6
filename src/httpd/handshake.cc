#include "httpd/handshake.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/base64.h"
#include "httpd/header_values.h"

namespace outrigger::httpd {
namespace {

constexpr std::size_t kNonceBytes = 16;

bool lists(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (same_token(trimmed(list.substr(0, comma)), token)) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// Whether one of the fields of this name, each a list, holds the token.
bool has_token(const RequestHead& head, std::string_view name, std::string_view token) {
  return std::ranges::any_of(head.headers, [name, token](const Header& header) {
    return same_token(header.first, name) && lists(header.second, token);
  });
}

}  // namespace

Handshake handshake_of(const RequestHead& head) {
  if (!has_token(head, "Upgrade", "websocket") || !has_token(head, "Connection", "upgrade"))
    return Handshake::kNotAsked;
  if (head.method != "GET" || head.version < 11 || head.has_body) return Handshake::kBroken;
  const auto version = head.only("Sec-WebSocket-Version");
  if (!version) return Handshake::kBroken;
  if (trimmed(*version) != "13") return Handshake::kOtherVersion;
  const auto nonce = base::base64_decode(trimmed(head.only("Sec-WebSocket-Key").value_or("")));
  return nonce && nonce->size() == kNonceBytes ? Handshake::kGood : Handshake::kBroken;
}

}  // namespace outrigger::httpd
