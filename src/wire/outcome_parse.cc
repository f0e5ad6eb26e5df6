#include <boost/json/value.hpp>

#include "wire/collected_files.h"
#include "wire/compile_json.h"
#include "wire/json_tree.h"
#include "wire/outcome_json.h"
#include "wire/outcome_reader.h"
#include "wire/outcome_streams.h"

namespace outrigger::wire {
base::Result<model::Outcome> parse_outcome(std::string_view text, model::OutputEncoding encoding) {
  const auto tree = parse_tree(text);
  if (!tree) return base::failure(base::Code::kInvalid, "parse_outcome", tree.error().message);
  if (!tree->is_object()) return base::failure(base::Code::kInvalid, "parse_outcome", "not a JSON object");
  Refusal refusal;
  const Fields fields(tree->get_object(), "", refusal);
  const OutcomeReader reader(fields, refusal);
  model::Outcome out;
  reader.read_common(out);
  out.stdout_stream = read_stream(fields, "stdout", encoding, refusal);
  out.stderr_stream = read_stream(fields, "stderr", encoding, refusal);
  if (const boost::json::array* files = fields.optional_array("files"))
    out.files = read_collected_files(*files, refusal);
  out.compile = read_compile(fields, encoding, refusal);
  if (refusal) return base::failure(base::Code::kInvalid, "parse_outcome", refusal.error().message);
  return out;
}

}  // namespace outrigger::wire
