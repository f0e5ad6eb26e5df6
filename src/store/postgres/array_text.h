#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrigger::store::postgres {

// Writes an array as PostgreSQL reads it: {"a","say \"b\"",NULL}. Its elements' type is the statement's affair.
class ArrayText {
 public:
  void add(const std::optional<std::string>& element);
  [[nodiscard]] std::string take();

 private:
  std::string out_ = "{";
};

}  // namespace outrigger::store::postgres
