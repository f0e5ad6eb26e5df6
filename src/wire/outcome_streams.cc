#include "wire/outcome_streams.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "wire/outcome_reader.h"

namespace outrigger::wire {
namespace {

void write_output(JsonWriter& writer, std::string_view name, const model::CapturedStream& stream,
                  model::OutputEncoding encoding) {
  writer.key(name);
  if (encoding == model::OutputEncoding::kBase64) {
    writer.text(base::base64_encode(stream.data));
    return;
  }
  writer.text(told(stream));
}

}  // namespace

std::string_view told(const model::CapturedStream& stream) {
  const std::string_view data = stream.data;
  return stream.truncated ? data.substr(0, base::complete_prefix(data)) : data;
}

void write_outputs(JsonWriter& writer, const model::CapturedStream& out, const model::CapturedStream& err,
                   model::OutputEncoding encoding) {
  write_output(writer, "stdout", out, encoding);
  write_output(writer, "stderr", err, encoding);
}

void write_output_sizes(JsonWriter& writer, const model::CapturedStream& out, const model::CapturedStream& err) {
  writer.key("stdout_bytes").number(out.bytes);
  writer.key("stderr_bytes").number(err.bytes);
  writer.key("stdout_truncated").boolean(out.truncated);
  writer.key("stderr_truncated").boolean(err.truncated);
}

std::string read_output(const Fields& fields, const std::string& name, model::OutputEncoding encoding,
                        Refusal& refusal) {
  const std::string_view text = fields.required_text(name);
  if (encoding != model::OutputEncoding::kBase64) return std::string(text);
  auto bytes = base::base64_decode(text);
  if (!bytes) refusal.invalid(fields.path(name), "must be base64");
  return std::move(bytes).value_or("");
}

model::CapturedStream read_stream_counts(const Fields& fields, const std::string& name, Refusal& refusal) {
  model::CapturedStream out;
  out.bytes = OutcomeReader(fields, refusal).count(name + "_bytes").value_or(0);
  out.truncated = fields.required_boolean(name + "_truncated");
  return out;
}

model::CapturedStream read_stream(const Fields& fields, const std::string& name, model::OutputEncoding encoding,
                                  Refusal& refusal) {
  model::CapturedStream out = read_stream_counts(fields, name, refusal);
  out.data = read_output(fields, name, encoding, refusal);
  return out;
}

}  // namespace outrigger::wire
