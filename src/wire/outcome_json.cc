#include "wire/outcome_json.h"

#include "wire/collected_files.h"
#include "wire/compile_json.h"
#include "wire/json_writer.h"
#include "wire/limits_text.h"
#include "wire/outcome_parts.h"
#include "wire/outcome_streams.h"

namespace outrigger::wire {
namespace {

void write_usage(JsonWriter& writer, const model::Outcome& outcome) {
  writer.key("wall_time_ms").milliseconds(outcome.wall_time);
  writer.key("queue_time_ms").milliseconds(outcome.queue_time);
  write_milliseconds(writer, "cpu_time_ms", outcome.usage.cpu_time);
  write_milliseconds(writer, "throttled_time_ms", outcome.usage.throttled_time);
  writer.key("peak_memory_bytes").number_or_null(outcome.usage.peak_memory_bytes);
  write_oom_triggered(writer, outcome.usage);
  writer.key("oom_kills").number_or_null(outcome.usage.oom_kills);
}

enum class Streams { kWhole, kSizesOnly };

void write_outcome(JsonWriter& writer, const model::Outcome& outcome, model::OutputEncoding encoding,
                   Streams streams = Streams::kWhole) {
  std::size_t bytes = outcome.stdout_stream.data.size() + outcome.stderr_stream.data.size();
  for (const model::CollectedFile& file : outcome.files) bytes += file.content.size();
  writer.reserve(2048 + bytes * 4 / 3);
  writer.key("job_id").text(outcome.job_id);
  writer.key("tenant_id").text(outcome.tenant_id);
  writer.key("language").text(outcome.language);
  writer.key("status").text(model::status_name(outcome.status));
  write_ending(writer, outcome);
  if (streams == Streams::kWhole) write_outputs(writer, outcome.stdout_stream, outcome.stderr_stream, encoding);
  write_output_sizes(writer, outcome.stdout_stream, outcome.stderr_stream);
  write_usage(writer, outcome);
  write_cause(writer, outcome.cause);
  write_security_events(writer, outcome.security_events);
  write_limits(writer.key("limits"), outcome.limits);
  write_collected_files(writer.key("files"), outcome.files, encoding);
  write_compile(writer.key("compile"), outcome.compile, encoding);
}

}  // namespace

std::string outcome_to_json(const model::Outcome& outcome, model::OutputEncoding encoding) {
  JsonWriter writer;
  writer.begin_object();
  write_outcome(writer, outcome, encoding);
  return writer.end_object().take();
}

std::string streamed_outcome_to_json(const model::Outcome& outcome, model::OutputEncoding encoding) {
  JsonWriter writer;
  writer.begin_object();
  write_outcome(writer, outcome, encoding, Streams::kSizesOnly);
  return writer.end_object().take();
}

std::string job_result_json(const model::Outcome& outcome, const model::Job& job, std::string_view node) {
  JsonWriter writer;
  writer.begin_object();
  write_outcome(writer, outcome, job.output_encoding);
  writer.key("attempt").number(job.attempt);
  writer.key("node").text(node);
  if (!job.annotation.empty()) writer.key("annotation").text(job.annotation);
  return writer.end_object().take();
}

}  // namespace outrigger::wire
