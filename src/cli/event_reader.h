#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace outrigger::cli {

struct ServerEvent {
  std::string name;
  std::string data;
};

// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), of the pieces in which they
// come. Lines end with a line feed, or a carriage return and one; what is neither event nor data is passed over.
class EventReader {
 public:
  // The events that are whole with this piece.
  std::vector<ServerEvent> push(std::string_view piece);

 private:
  void take(std::string_view line, std::vector<ServerEvent>& events);

  std::string line_;  // one whose end has not come
  ServerEvent event_;
  bool has_data_ = false;
};

}  // namespace outrigger::cli
