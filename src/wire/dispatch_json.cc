#include "wire/dispatch_json.h"

#include <boost/json/object.hpp>

#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/request_fields.h"

namespace outrigger::wire {
namespace {

constexpr std::size_t kMaxReason = 256;

}  // namespace

std::expected<Dispatch, RequestError> parse_dispatch(std::string_view body) {
  const auto object = parse_object(body, "the request body");
  if (!object) return std::unexpected(object.error());
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  fields.refuse_unknown(kDispatchFields);
  Dispatch dispatch{fields.required_boolean("paused"), std::string(fields.optional_text("reason"))};
  if (dispatch.reason.size() > kMaxReason) refusal.invalid("reason", "must not be longer than 256 bytes");
  if (refusal) return std::unexpected(refusal.error());
  return dispatch;
}

std::string dispatch_to_json(const Dispatch& dispatch) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("paused").boolean(dispatch.paused);
  writer.key("reason").text_or_null(dispatch.reason);
  writer.end_object();
  return writer.take();
}

}  // namespace outrigger::wire
