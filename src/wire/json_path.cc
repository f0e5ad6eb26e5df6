#include "wire/json_path.h"

#include <utility>

#include "wire/json_tree.h"

namespace outrigger::wire {

bool JsonPath::key(std::string name) {
  Frame& frame = frames_.back();
  frame.key = name;
  return frame.seen.insert(std::move(name)).second;
}

void JsonPath::value_done() {
  if (frames_.empty()) return;
  if (frames_.back().array) {
    ++frames_.back().index;
  } else {
    frames_.back().key.clear();
  }
}

std::string JsonPath::text() const {
  std::string out;
  for (const Frame& frame : frames_) {
    if (frame.array) {
      out += '[' + std::to_string(frame.index) + ']';
    } else if (!frame.key.empty()) {
      if (!out.empty()) out += '.';
      out += shortened(frame.key);
    }
  }
  return shortened(out);
}

}  // namespace outrigger::wire
