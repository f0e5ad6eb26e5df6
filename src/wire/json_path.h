#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace outrigger::wire {

// Where in a document a parser stands: "files[2].path".
class JsonPath {
 public:
  void enter_object() { frames_.push_back({}); }
  void enter_array() {
    frames_.push_back({});
    frames_.back().array = true;
  }
  // The object or array has ended, and with it a value of the one around it.
  void leave() {
    frames_.pop_back();
    value_done();
  }
  // False where this object had the key already.
  bool key(std::string name);
  void value_done();

  [[nodiscard]] std::string text() const;

 private:
  struct Frame {
    bool array = false;
    std::size_t index = 0;
    std::string key;  // empty between two members
    std::unordered_set<std::string> seen;
  };
  std::vector<Frame> frames_;
};

}  // namespace outrigger::wire
