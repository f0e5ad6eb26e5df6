#include "httpd/header_values.h"

#include <algorithm>
#include <charconv>

#include "httpd/message.h"

namespace outrigger::httpd {
namespace {

bool is_port(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Dotted quads of 127.0.0.0/8 only; a name that merely begins with "127." is somebody's domain.
bool is_loopback_v4(std::string_view host) {
  return host.starts_with("127.") && std::ranges::count(host, '.') == 3 &&
         std::ranges::all_of(host, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

// The weight of a media range, in thousandths (RFC 9110, 12.4.2): 1000 where it says none, 0 where it is ill-formed.
int weight_of(std::string_view range) {
  for (std::size_t at = range.find(';'); at != std::string_view::npos; at = range.find(';')) {
    range.remove_prefix(at + 1);
    const std::string_view parameter = trimmed(range.substr(0, range.find(';')));
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
    double weight = 0;
    const std::string_view digits = parameter.substr(2);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), weight);
    const bool good = read.ec == std::errc() && read.ptr == digits.data() + digits.size() && weight >= 0 && weight <= 1;
    return good ? static_cast<int>(weight * 1000) : 0;
  }
  return 1000;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_local_authority(std::string_view authority) {
  if (authority.starts_with("[::1]")) {
    authority.remove_prefix(5);
    return authority.empty() || (authority.front() == ':' && is_port(authority.substr(1)));
  }
  const std::size_t colon = authority.find(':');
  if (colon != std::string_view::npos && !is_port(authority.substr(colon + 1))) return false;
  const std::string_view host = authority.substr(0, colon);
  return same_token(host, "localhost") || is_loopback_v4(host);
}

bool is_json_media_type(std::string_view content_type) {
  const std::size_t semicolon = content_type.find(';');
  if (!same_token(trimmed(content_type.substr(0, semicolon)), "application/json")) return false;
  while (semicolon != std::string_view::npos) {
    content_type.remove_prefix(content_type.find(';') + 1);
    const std::size_t end = content_type.find(';');
    const std::string_view parameter = trimmed(content_type.substr(0, end));
    const std::size_t equals = parameter.find('=');
    if (same_token(parameter.substr(0, equals), "charset")) {
      const std::string_view value = equals == std::string_view::npos ? "" : parameter.substr(equals + 1);
      if (!same_token(value, "utf-8") && !same_token(value, "\"utf-8\"") && !same_token(value, "utf8")) return false;
    }
    if (end == std::string_view::npos) break;
  }
  return true;
}

bool prefers_event_stream(std::string_view accept) {
  int of_stream = 0;
  int of_json = 0;
  bool stream_first = false;
  while (!accept.empty()) {
    const std::size_t comma = std::min(accept.find(','), accept.size());
    const std::string_view range = accept.substr(0, comma);
    accept.remove_prefix(std::min(comma + 1, accept.size()));
    const std::string_view type = trimmed(range.substr(0, range.find(';')));
    if (same_token(type, "text/event-stream")) {
      stream_first = of_json == 0;
      of_stream = weight_of(range);
    } else if (same_token(type, "application/json")) {
      of_json = weight_of(range);
    }
  }
  return of_stream > of_json || (of_stream > 0 && of_stream == of_json && stream_first);
}

}  // namespace outrigger::httpd
