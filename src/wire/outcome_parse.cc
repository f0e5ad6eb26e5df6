#include <boost/json/value.hpp>

#include "wire/collected_files.h"
#include "wire/compile_json.h"
#include "wire/json_tree.h"
#include "wire/outcome_json.h"
#include "wire/outcome_reader.h"
#include "wire/outcome_streams.h"

namespace outrigger::wire {
namespace {

std::unexpected<base::Error> not_understood(std::string_view step, const std::string& why) {
  return base::failure(base::Code::kInvalid, step, why);
}

using ReadStream = model::CapturedStream (*)(const Fields&, const std::string&, model::OutputEncoding, Refusal&);

base::Result<model::Outcome> parse(std::string_view text, model::OutputEncoding encoding, ReadStream read) {
  const auto tree = parse_object(text, "an outcome");
  if (!tree) return not_understood("parse_outcome", tree.error().message);
  Refusal refusal;
  const Fields fields(*tree, "", refusal);
  const OutcomeReader reader(fields, refusal);
  model::Outcome out;
  reader.read_common(out);
  out.stdout_stream = read(fields, "stdout", encoding, refusal);
  out.stderr_stream = read(fields, "stderr", encoding, refusal);
  if (const boost::json::array* files = fields.optional_array("files"))
    out.files = read_collected_files(*files, refusal);
  out.compile = read_compile(fields, encoding, refusal);
  if (refusal) return not_understood("parse_outcome", refusal.error().message);
  return out;
}

}  // namespace

base::Result<model::Outcome> parse_outcome(std::string_view text, model::OutputEncoding encoding) {
  return parse(text, encoding, read_stream);
}

base::Result<model::Outcome> parse_streamed_outcome(std::string_view text, model::OutputEncoding encoding) {
  return parse(text, encoding,
               [](const Fields& fields, const std::string& name, model::OutputEncoding /*encoding*/, Refusal& refusal) {
                 return read_stream_counts(fields, name, refusal);
               });
}

base::Result<std::string> parse_output_event(std::string_view text, model::OutputEncoding encoding) {
  const auto tree = parse_object(text, "an event");
  if (!tree) return not_understood("parse_output_event", tree.error().message);
  Refusal refusal;
  const Fields fields(*tree, "", refusal);
  std::string data = read_output(fields, "data", encoding, refusal);
  if (refusal) return not_understood("parse_output_event", refusal.error().message);
  return data;
}

}  // namespace outrigger::wire
