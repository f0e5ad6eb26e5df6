#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrigger::base {

// Names of files by pattern: `*` any characters of one part, `?` one character, `[a-z]` and `[!a-z]` one of those or
// none of those, `**` as a whole part any number of parts, also none. A character is a Unicode character, not a byte. A
// leading dot is a character like any other, `\` quotes nothing (`[*]` does). Rules of glob(7) but for these.
class Glob {
 public:
  // Deeper paths than this can't be asked for.
  static constexpr std::size_t kMaxParts = 64;
  static constexpr std::size_t kMaxBytes = 1000;

  // What is wrong with a pattern, as the end of a sentence ("must not ..."); empty: nothing. It must be relative, and
  // stay below where it begins.
  static std::string_view fault(std::string_view pattern);

  // `pattern` has no fault.
  explicit Glob(std::string_view pattern);

  // Whether it names this path. Costs at most the product of both lengths; what is spent is taken from `budget`, and
  // with nothing left it says no.
  [[nodiscard]] bool matches(std::string_view path, std::size_t& budget) const;
  // Whether it may name something below this directory.
  [[nodiscard]] bool reaches_below(std::string_view directory, std::size_t& budget) const;
  // Names one path and no other.
  [[nodiscard]] bool is_literal() const { return literal_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  enum class Kind : std::uint8_t { kCharacter, kAny, kOne, kSet };
  struct Token {
    Kind kind = Kind::kCharacter;
    char32_t character = 0;
    bool negated = false;
    std::vector<std::pair<char32_t, char32_t>> ranges = {};
  };
  struct Part {
    bool any_parts = false;  // **
    std::vector<Token> tokens = {};
  };
  // Which parts of the pattern the next part of a path may have to match: a bit each, and one for "all are done".
  struct Places {
    std::uint64_t open = 0;
    bool done = false;
  };

  static Part parse_part(std::string_view text);
  static bool matches_part(const std::vector<Token>& tokens, std::u32string_view name, std::size_t& budget);
  static bool fits(const Token& token, char32_t character);
  void add(Places& places, std::size_t part) const;
  [[nodiscard]] Places walk(std::string_view path, std::size_t& budget) const;

  std::string text_;
  std::vector<Part> parts_;
  bool literal_ = true;
};

}  // namespace outrigger::base
