#include "judge0/errors.h"

#include <algorithm>

#include "wire/json_writer.h"

namespace outrigger::judge0 {

void Errors::add(std::string_view attribute, std::string message) {
  const auto found = std::ranges::find_if(all_, [attribute](const auto& each) { return each.first == attribute; });
  if (found != all_.end()) {
    found->second.push_back(std::move(message));
  } else {
    all_.emplace_back(attribute, std::vector<std::string>{std::move(message)});
  }
}

std::string Errors::json() const {
  wire::JsonWriter writer;
  writer.begin_object();
  for (const auto& [attribute, messages] : all_) {
    writer.key(attribute).begin_array();
    for (const std::string& message : messages) writer.text(message);
    writer.end_array();
  }
  return writer.end_object().take();
}

std::string error_json(std::string_view message) {
  wire::JsonWriter writer;
  return writer.begin_object().key("error").text(message).end_object().take();
}

}  // namespace outrigger::judge0
