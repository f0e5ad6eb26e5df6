#include "piston/file_name.h"

#include <algorithm>
#include <vector>

namespace outrigger::piston {

std::string settled_name(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, slash);
    name.remove_prefix(std::min(slash + 1, name.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out;
  for (const std::string_view part : parts) out += (out.empty() ? "" : "/") + std::string(part);
  return out;
}

}  // namespace outrigger::piston
