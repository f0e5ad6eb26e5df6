#include <boost/json/value.hpp>

#include "base/base64.h"
#include "wire/collected_files.h"
#include "wire/json_tree.h"
#include "wire/outcome_json.h"
#include "wire/outcome_reader.h"

namespace outrigger::wire {
namespace {

model::CapturedStream read_stream(const Fields& fields, const OutcomeReader& reader, const std::string& name,
                                  model::OutputEncoding encoding, Refusal& refusal) {
  model::CapturedStream out;
  const std::string_view text = fields.required_text(name);
  out.data = text;
  if (encoding == model::OutputEncoding::kBase64) {
    auto bytes = base::base64_decode(text);
    if (!bytes) refusal.invalid(name, "must be base64");
    out.data = std::move(bytes).value_or("");
  }
  out.bytes = reader.count(name + "_bytes").value_or(0);
  out.truncated = fields.required_boolean(name + "_truncated");
  return out;
}

}  // namespace

base::Result<model::Outcome> parse_outcome(std::string_view text, model::OutputEncoding encoding) {
  const auto tree = parse_tree(text);
  if (!tree) return base::failure(base::Code::kInvalid, "parse_outcome", tree.error().message);
  if (!tree->is_object()) return base::failure(base::Code::kInvalid, "parse_outcome", "not a JSON object");
  Refusal refusal;
  const Fields fields(tree->get_object(), "", refusal);
  const OutcomeReader reader(fields, refusal);
  model::Outcome out;
  reader.read_common(out);
  out.stdout_stream = read_stream(fields, reader, "stdout", encoding, refusal);
  out.stderr_stream = read_stream(fields, reader, "stderr", encoding, refusal);
  if (const boost::json::array* files = fields.optional_array("files"))
    out.files = read_collected_files(*files, refusal);
  if (refusal) return base::failure(base::Code::kInvalid, "parse_outcome", refusal.error().message);
  return out;
}

}  // namespace outrigger::wire
