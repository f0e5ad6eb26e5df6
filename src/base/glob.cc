#include "base/glob.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"

namespace outrigger::base {
namespace {

// The first part, which is taken off the text; nothing at its end.
std::optional<std::string_view> take_part(std::string_view& text) {
  if (text.data() == nullptr) return std::nullopt;
  const std::size_t slash = text.find('/');
  const std::string_view part = text.substr(0, slash);
  text = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
  return part;
}

// The characters of any bytes: what is no UTF-8 counts as U+FFFD.
std::u32string characters(std::string_view bytes) {
  const std::string text = to_utf8(bytes);
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t character = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i)
      character = character << 6U | (static_cast<std::uint8_t>(text[at + i]) & 0x3fU);
    out.push_back(character);
    at += length;
  }
  return out;
}

// Where a bracket that begins at `open` ends: at its "]", which is not its first character. Nothing where it never
// does.
std::optional<std::size_t> bracket_end(std::u32string_view text, std::size_t open) {
  std::size_t at = open + 1;
  if (at < text.size() && (text[at] == U'!' || text[at] == U'^')) ++at;
  const std::size_t end = text.find(U']', at + 1);
  if (end == std::u32string_view::npos) return std::nullopt;
  return end;
}

// The ranges between the brackets, "!" not among them; nothing where one runs backwards.
std::optional<std::vector<std::pair<char32_t, char32_t>>> ranges_of(std::u32string_view inside) {
  std::vector<std::pair<char32_t, char32_t>> ranges;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    const bool range = at + 2 < inside.size() && inside[at + 1] == U'-';
    const char32_t last = range ? inside[at + 2] : inside[at];
    if (last < inside[at]) return std::nullopt;
    ranges.emplace_back(inside[at], last);
    if (range) at += 2;
  }
  return ranges;
}

std::u32string_view inside_of(std::u32string_view text, std::size_t open, std::size_t end, bool& negated) {
  negated = text[open + 1] == U'!' || text[open + 1] == U'^';
  const std::size_t first = open + (negated ? 2 : 1);
  return text.substr(first, end - first);
}

bool brackets_are_whole(std::string_view part) {
  const std::u32string text = characters(part);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != U'[') continue;
    const auto end = bracket_end(text, at);
    bool negated = false;
    if (!end || !ranges_of(inside_of(text, at, *end, negated))) return false;
    at = *end;
  }
  return true;
}

}  // namespace

std::string_view Glob::fault(std::string_view pattern) {
  if (pattern.empty()) return "must not be empty";
  if (pattern.size() > kMaxBytes) return "must not be longer than 1000 bytes";
  if (pattern.front() == '/') return "must be relative to the working directory, not begin with /";
  if (pattern.find('\0') != std::string_view::npos) return "must not contain a NUL character";
  if (static_cast<std::size_t>(std::ranges::count(pattern, '/')) >= kMaxParts)
    return "must not have more than 64 parts";
  std::string_view rest = pattern;
  while (const auto part = take_part(rest)) {
    if (part->empty()) return "must name files: no empty part, no / at the end";
    if (*part == "." || *part == "..") return "must not contain . or .. as a part";
    if (!brackets_are_whole(*part)) return "must close each [ with a ], around characters or ascending ranges";
  }
  return "";
}

Glob::Glob(std::string_view pattern) : text_(pattern) {
  while (const auto part = take_part(pattern)) {
    Part parsed = parse_part(*part);
    const auto is_character = [](const Token& token) { return token.kind == Kind::kCharacter; };
    literal_ = literal_ && !parsed.any_parts && std::ranges::all_of(parsed.tokens, is_character);
    // Twice any number of parts is any number of parts.
    if (!parsed.any_parts || parts_.empty() || !parts_.back().any_parts) parts_.push_back(std::move(parsed));
  }
}

Glob::Part Glob::parse_part(std::string_view text) {
  Part part;
  part.any_parts = text == "**";
  if (part.any_parts) return part;
  const std::u32string all = characters(text);
  for (std::size_t at = 0; at < all.size(); ++at) {
    Token token;
    token.character = all[at];
    if (all[at] == U'*') token.kind = Kind::kAny;
    if (all[at] == U'?') token.kind = Kind::kOne;
    if (const auto end = all[at] == U'[' ? bracket_end(all, at) : std::nullopt) {
      token.kind = Kind::kSet;
      token.ranges = ranges_of(inside_of(all, at, *end, token.negated)).value_or(token.ranges);
      at = *end;
    }
    part.tokens.push_back(std::move(token));
  }
  return part;
}

bool Glob::fits(const Token& token, char32_t character) {
  if (token.kind == Kind::kOne) return true;
  if (token.kind == Kind::kCharacter) return token.character == character;
  const auto holds = [character](const auto& range) { return range.first <= character && character <= range.second; };
  return std::ranges::any_of(token.ranges, holds) != token.negated;
}

// Only the last `*` is ever given more: whatever an earlier one could take instead, a later one can take as well.
bool Glob::matches_part(const std::vector<Token>& tokens, std::u32string_view name, std::size_t& budget) {
  std::size_t token = 0;
  std::size_t at = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star;  // the token after it, and how far it has eaten
  while (at < name.size()) {
    if (budget == 0) return false;
    --budget;
    if (token < tokens.size() && tokens[token].kind == Kind::kAny) {
      star = {++token, at};
    } else if (token < tokens.size() && fits(tokens[token], name[at])) {
      ++token;
      ++at;
    } else if (star) {
      token = star->first;
      at = ++star->second;
    } else {
      return false;
    }
  }
  while (token < tokens.size() && tokens[token].kind == Kind::kAny) ++token;
  return token == tokens.size();
}

void Glob::add(Places& places, std::size_t part) const {
  if (part == parts_.size()) {
    places.done = true;
    return;
  }
  places.open |= 1ULL << part;
  if (parts_[part].any_parts) add(places, part + 1);  // which may stand for none
}

Glob::Places Glob::walk(std::string_view path, std::size_t& budget) const {
  Places places;
  add(places, 0);
  while (const auto name = take_part(path)) {
    const std::u32string text = characters(*name);
    Places next;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      if ((places.open >> part & 1U) == 0) continue;
      if (parts_[part].any_parts) {
        add(next, part);
      } else if (matches_part(parts_[part].tokens, text, budget)) {
        add(next, part + 1);
      }
    }
    places = next;
    if (places.open == 0 && !places.done) break;
  }
  return places;
}

bool Glob::matches(std::string_view path, std::size_t& budget) const { return walk(path, budget).done; }

bool Glob::reaches_below(std::string_view directory, std::size_t& budget) const {
  return directory.empty() || walk(directory, budget).open != 0;
}

}  // namespace outrigger::base
