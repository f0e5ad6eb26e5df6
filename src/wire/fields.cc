#include "wire/fields.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <vector>

#include "wire/json_tree.h"

namespace outrigger::wire {

void Fields::refuse_unknown(std::span<const std::string_view> first, std::span<const std::string_view> more) const {
  std::vector<std::string_view> known(first.begin(), first.end());
  known.insert(known.end(), more.begin(), more.end());
  for (const auto& member : object_) {
    const std::string_view name(member.key().data(), member.key().size());
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string list;
    for (const std::string_view each : known) {
      if (!list.empty()) list += ", ";
      list += each;
    }
    const std::string field = path(name);
    refusal_.invalid(field, "is not a known field; known here: " + list);
    return;
  }
}

std::string Fields::path(std::string_view name) const {
  return where_.empty() ? shortened(name) : where_ + "." + shortened(name);
}

const boost::json::value* Fields::find(std::string_view name) const {
  const boost::json::value* value = object_.if_contains({name.data(), name.size()});
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string_view Fields::required_text(std::string_view name) const {
  if (object_.if_contains({name.data(), name.size()}) == nullptr) {
    refusal_.invalid(path(name), "is required");
    return {};
  }
  if (find(name) == nullptr) refusal_.invalid(path(name), "must be a string, not null");
  return optional_text(name);
}

std::string_view Fields::optional_text(std::string_view name) const {
  const boost::json::value* value = find(name);
  if (value == nullptr) return {};
  const boost::json::string* text = value->if_string();
  if (text == nullptr) {
    refusal_.invalid(path(name), "must be a string");
    return {};
  }
  return {text->data(), text->size()};
}

bool Fields::required_boolean(std::string_view name) const {
  const boost::json::value* value = object_.if_contains({name.data(), name.size()});
  if (value == nullptr) {
    refusal_.invalid(path(name), "is required");
    return false;
  }
  const bool* boolean = value->if_bool();
  if (boolean == nullptr) refusal_.invalid(path(name), "must be true or false");
  return boolean != nullptr && *boolean;
}

const boost::json::object* Fields::optional_object(std::string_view name) const {
  const boost::json::value* value = find(name);
  if (value == nullptr) return nullptr;
  const boost::json::object* object = value->if_object();
  if (object == nullptr) refusal_.invalid(path(name), "must be an object");
  return object;
}

const boost::json::array* Fields::optional_array(std::string_view name) const {
  const boost::json::value* value = find(name);
  if (value == nullptr) return nullptr;
  const boost::json::array* array = value->if_array();
  if (array == nullptr) refusal_.invalid(path(name), "must be an array");
  return array;
}

}  // namespace outrigger::wire
