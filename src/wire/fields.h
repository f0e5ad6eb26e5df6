#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wire/request_error.h"

namespace outrigger::wire {

// The first thing found wrong with a request. Readers go on past it, so that a section reads as a list of its fields.
class Refusal {
 public:
  void refuse(base::Code code, std::string field, std::string message) {
    if (!error_) error_ = RequestError{code, std::move(field), std::move(message)};
  }
  void invalid(const std::string& field, std::string_view rule) {
    refuse(base::Code::kInvalid, field, field + " " + std::string(rule));
  }
  explicit operator bool() const { return error_.has_value(); }
  [[nodiscard]] const RequestError& error() const { return *error_; }

 private:
  std::optional<RequestError> error_;
};

// Reads the members of one object of a request by name. An optional member that is null counts as absent.
class Fields {
 public:
  // `where` is the object's own place ("limits"), empty for the whole body.
  Fields(const boost::json::object& object, std::string where, Refusal& refusal)
      : object_(object), where_(std::move(where)), refusal_(refusal) {}

  // A misspelt name must not silently drop what it was to say. `more`: known too.
  void refuse_unknown(std::span<const std::string_view> known, std::span<const std::string_view> more = {}) const;

  [[nodiscard]] std::string path(std::string_view name) const;
  // The member, unless it is absent or null.
  [[nodiscard]] const boost::json::value* find(std::string_view name) const;

  // Strings come as views into the tree; a wrong type or a missing required member is refused and gives "".
  [[nodiscard]] std::string_view required_text(std::string_view name) const;
  [[nodiscard]] std::string_view optional_text(std::string_view name) const;
  [[nodiscard]] bool required_boolean(std::string_view name) const;
  // Nothing for absent, null or a refused type.
  [[nodiscard]] const boost::json::object* optional_object(std::string_view name) const;
  [[nodiscard]] const boost::json::array* optional_array(std::string_view name) const;

 private:
  const boost::json::object& object_;
  std::string where_;
  Refusal& refusal_;
};

}  // namespace outrigger::wire
