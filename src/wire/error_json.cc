#include "wire/error_json.h"

#include <boost/json/value.hpp>

#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"

namespace outrigger::wire {

std::string error_to_json(const ErrorBody& error) {
  JsonWriter writer;
  writer.begin_object().key("error").begin_object();
  writer.key("code").text(error.code);
  writer.key("message").text(error.message);
  writer.key("field").text_or_null(error.field);
  writer.end_object().end_object();
  return writer.take();
}

std::optional<ErrorBody> parse_error(std::string_view json) {
  const auto tree = parse_tree(json);
  if (!tree || !tree->is_object()) return std::nullopt;
  Refusal refusal;
  const boost::json::object* object = Fields(tree->get_object(), "", refusal).optional_object("error");
  if (object == nullptr) return std::nullopt;
  const Fields fields(*object, "error", refusal);
  ErrorBody error{std::string(fields.required_text("code")), std::string(fields.required_text("message")),
                  std::string(fields.optional_text("field"))};
  if (refusal) return std::nullopt;
  return error;
}

}  // namespace outrigger::wire
