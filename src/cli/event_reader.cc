#include "cli/event_reader.h"

#include <utility>

namespace outrigger::cli {

std::vector<ServerEvent> EventReader::push(std::string_view piece) {
  std::vector<ServerEvent> events;
  for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
    line_ += piece.substr(0, end);
    if (line_.ends_with('\r')) line_.pop_back();
    take(line_, events);
    line_.clear();
    piece.remove_prefix(end + 1);
  }
  line_ += piece;
  return events;
}

void EventReader::take(std::string_view line, std::vector<ServerEvent>& events) {
  if (line.empty()) {
    if (has_data_) events.push_back(std::move(event_));
    event_ = {};
    has_data_ = false;
    return;
  }
  const std::size_t colon = line.find(':');
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  const std::string_view field = line.substr(0, colon);
  if (field == "event") event_.name = value;
  if (field != "data") return;
  if (has_data_) event_.data += '\n';
  event_.data += value;
  has_data_ = true;
}

}  // namespace outrigger::cli
