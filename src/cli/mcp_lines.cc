#include "cli/mcp_lines.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace outrigger::cli {

bool McpLines::fill() {
  std::array<char, 65536> chunk{};
  ssize_t size = 0;
  do {
    size = ::read(fd_, chunk.data(), chunk.size());
  } while (size < 0 && errno == EINTR);
  if (size > 0) buffered_.append(chunk.data(), static_cast<std::size_t>(size));
  return size > 0;
}

std::optional<McpLines::Line> McpLines::next() {
  Line line;
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = buffered_.find('\n', searched);
    if (end != std::string::npos || (ended_ && !buffered_.empty())) {
      const std::size_t length = end == std::string::npos ? buffered_.size() : end;
      line.text = buffered_.substr(0, length);
      buffered_.erase(0, length + 1);
      if (line.text.ends_with('\r')) line.text.pop_back();
      if (line.too_long) line.text.clear();
      if (line.too_long || !line.text.empty()) return line;
      searched = 0;
      continue;
    }
    if (ended_) return std::nullopt;
    searched = buffered_.size();
    if (buffered_.size() > kMaxLine) {
      line.too_long = true;
      buffered_.clear();
      searched = 0;
    }
    ended_ = !fill();
    if (ended_ && line.too_long && buffered_.empty()) return line;
  }
}

}  // namespace outrigger::cli
