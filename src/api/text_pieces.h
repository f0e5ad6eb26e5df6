#pragma once

#include <string>
#include <string_view>

namespace outrigger::api {

// A stream of bytes as pieces of text, no character of which is split over two: all pieces together are what
// wire::outcome_to_json() would make of all bytes together.
class TextPieces {
 public:
  // What can be told after these bytes; may be nothing.
  std::string next(std::string_view bytes);
  // What is left at the end. A character that the stream's limit has cut is dropped.
  std::string last(bool truncated);

 private:
  std::string held_;  // the beginning of a character
};

}  // namespace outrigger::api
