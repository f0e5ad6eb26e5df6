#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace outrigger::cli {

// Lines off a descriptor, as MCP's stdio carries its messages. Blocking.
class McpLines {
 public:
  // Longer than a request to the daemon may be.
  static constexpr std::size_t kMaxLine = 20U << 20;

  explicit McpLines(int fd) : fd_(fd) {}

  struct Line {
    std::string text;       // without its line break
    bool too_long = false;  // it was passed over
  };
  // Nothing at the end of input; a last line without a break counts. Empty lines are passed over.
  std::optional<Line> next();

 private:
  bool fill();

  int fd_;
  std::string buffered_;
  bool ended_ = false;
};

}  // namespace outrigger::cli
