#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace outrigger::judge0 {

// Attributes of a request, read as Rails casts them.
class Attributes {
 public:
  explicit Attributes(const boost::json::object& object) : object_(object) {}

  // A number or true stands for its text; nothing for null, lists and objects.
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  // The text, from base64 where `encoded`.
  [[nodiscard]] std::optional<std::string> bytes(std::string_view name, bool encoded) const;
  [[nodiscard]] bool given(std::string_view name) const { return text(name).has_value(); }
  // A number, or a text that is one. Nothing where it is given and none.
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  // Absent and empty are false; so are false, 0, "0", "f", "false", "off" in any case.
  [[nodiscard]] bool boolean(std::string_view name) const;

 private:
  const boost::json::object& object_;
};

// Whether there is nothing but white space in it.
bool is_blank(std::string_view text);

}  // namespace outrigger::judge0
