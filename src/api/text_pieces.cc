#include "api/text_pieces.h"

#include <utility>

#include "base/utf8.h"

namespace outrigger::api {

std::string TextPieces::next(std::string_view bytes) {
  held_ += bytes;
  const std::size_t whole = base::complete_prefix(held_);
  std::string rest = held_.substr(whole);
  held_.resize(whole);
  return base::to_utf8(std::exchange(held_, std::move(rest)));
}

std::string TextPieces::last(bool truncated) {
  std::string rest = std::exchange(held_, {});
  return truncated ? std::string() : base::to_utf8(rest);
}

}  // namespace outrigger::api
