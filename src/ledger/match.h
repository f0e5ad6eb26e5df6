#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ledger/query.h"

namespace outrigger::ledger {

// A filter made ready to be asked of millions of lines.
class Matcher {
 public:
  explicit Matcher(const Filter& filter);

  // `text` is a line without its newline.
  [[nodiscard]] bool matches(std::string_view text) const;
  // As a line's recorded_at, which sorts as times do; empty if any will do.
  [[nodiscard]] const std::string& since() const { return since_; }

 private:
  struct Member {
    std::string_view key;
    std::string value;
    std::string needle;  // what a line with it has in it somewhere; empty if that can't be said
  };
  void want(std::string_view key, const std::optional<std::string>& value);

  std::vector<Member> members_;
  std::string since_;
};

// The text of a line's top-level member; nothing if it has none, it isn't a string, or the line isn't JSON.
std::optional<std::string> text_member(std::string_view text, std::string_view key);

}  // namespace outrigger::ledger
