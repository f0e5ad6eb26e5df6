#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrigger::judge0 {

// What is wrong with a submission, by attribute, in the order found: a body of status 422,
// {"language_id": ["can't be blank"]}.
class Errors {
 public:
  void add(std::string_view attribute, std::string message);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::string json() const;

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

// An answer of any other status that is not a success: {"error": …}.
std::string error_json(std::string_view message);

}  // namespace outrigger::judge0
