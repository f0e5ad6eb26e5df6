#include "api/query.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"

namespace outrigger::api {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (!base::is_utf8(out)) return std::nullopt;
  return out;
}

std::unexpected<wire::RequestError> invalid(std::string field, std::string message) {
  return std::unexpected(wire::RequestError{base::Code::kInvalid, std::move(field), std::move(message)});
}

}  // namespace

std::expected<std::map<std::string, std::string, std::less<>>, wire::RequestError> parse_query(
    std::string_view query, std::span<const std::string_view> known) {
  std::map<std::string, std::string, std::less<>> out;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = decoded(pair.substr(0, equals));
    const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value) return invalid("", "the query string is not percent-encoded UTF-8");
    if (!known.empty() && std::ranges::find(known, *name) == known.end()) {
      std::string list;
      for (const std::string_view each : known) list += (list.empty() ? "" : ", ") + std::string(each);
      return invalid(name->substr(0, 64), "the query has a parameter that is not known here; known are: " + list);
    }
    if (!out.emplace(*name, *value).second) return invalid(*name, *name + " is given twice");
  }
  return out;
}

}  // namespace outrigger::api
