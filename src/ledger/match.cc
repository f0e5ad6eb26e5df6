#include "ledger/match.h"

#include <algorithm>
#include <boost/json/value.hpp>

#include "wire/json_tree.h"
#include "wire/time_text.h"

namespace outrigger::ledger {
namespace {

// JSON has other ways to write these, but nobody uses them.
bool is_plain(std::string_view value) {
  return std::ranges::all_of(value, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
}

// A member that is an object stands for its `code`, as a cause does.
bool has_member(const boost::json::object& object, std::string_view key, std::string_view value) {
  const auto* found = object.if_contains(key);
  if (found != nullptr && found->is_object()) found = found->get_object().if_contains("code");
  return found != nullptr && found->is_string() && std::string_view(found->get_string()) == value;
}

}  // namespace

Matcher::Matcher(const Filter& filter) {
  want("job_id", filter.job_id);
  want("tenant_id", filter.tenant_id);
  want("cause", filter.cause);
  want("rule", filter.rule);
  if (filter.since) since_ = wire::time_text(*filter.since);
}

void Matcher::want(std::string_view key, const std::optional<std::string>& value) {
  if (value) members_.push_back({key, *value, is_plain(*value) ? "\"" + *value + "\"" : std::string()});
}

bool Matcher::matches(std::string_view text) const {
  const bool possible = std::ranges::all_of(
      members_, [&](const Member& member) { return text.find(member.needle) != std::string_view::npos; });
  if (!possible) return false;
  const auto line = parse_line(text);
  if (!line || line->recorded_at < since_) return false;
  if (members_.empty()) return true;
  const auto tree = wire::parse_tree(text);
  if (!tree || !tree->is_object()) return false;
  return std::ranges::all_of(
      members_, [&](const Member& member) { return has_member(tree->get_object(), member.key, member.value); });
}

std::optional<std::string> text_member(std::string_view text, std::string_view key) {
  const auto tree = wire::parse_tree(text);
  if (!tree || !tree->is_object()) return std::nullopt;
  const auto* found = tree->get_object().if_contains(key);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->get_string());
}

}  // namespace outrigger::ledger
