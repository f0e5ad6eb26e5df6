#include "wire/compile_json.h"

#include <boost/json/value.hpp>

#include "wire/outcome_parts.h"
#include "wire/outcome_reader.h"
#include "wire/outcome_streams.h"

namespace outrigger::wire {

void write_compile(JsonWriter& writer, const std::optional<model::CompileReport>& report,
                   model::OutputEncoding encoding) {
  if (!report) {
    writer.null();
    return;
  }
  writer.begin_object();
  writer.key("status").text(model::status_name(report->status));
  write_ending(writer, report->exit_code, report->signal);
  write_outputs(writer, report->stdout_stream, report->stderr_stream, encoding);
  write_output_sizes(writer, report->stdout_stream, report->stderr_stream);
  writer.key("wall_time_ms").milliseconds(report->wall_time);
  write_milliseconds(writer, "cpu_time_ms", report->cpu_time);
  writer.key("peak_memory_bytes").number_or_null(report->peak_memory_bytes);
  write_cause(writer, report->cause);
  writer.key("cached").boolean(report->cached);
  writer.end_object();
}

std::optional<model::CompileReport> read_compile(const Fields& outer, model::OutputEncoding encoding,
                                                 Refusal& refusal) {
  const boost::json::object* object = outer.optional_object("compile");
  if (object == nullptr) return std::nullopt;
  const Fields fields(*object, outer.path("compile"), refusal);
  const OutcomeReader reader(fields, refusal);
  model::CompileReport report;
  reader.read_ending(report);
  report.stdout_stream = read_stream(fields, "stdout", encoding, refusal);
  report.stderr_stream = read_stream(fields, "stderr", encoding, refusal);
  report.wall_time = reader.time("wall_time_ms").value_or(report.wall_time);
  report.cpu_time = reader.time("cpu_time_ms");
  report.peak_memory_bytes = reader.count("peak_memory_bytes");
  report.cached = fields.required_boolean("cached");
  return report;
}

}  // namespace outrigger::wire
