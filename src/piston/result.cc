#include "piston/result.h"

#include "wire/json_writer.h"
#include "wire/outcome_parts.h"
#include "wire/outcome_streams.h"

namespace outrigger::piston {
namespace {

constexpr int kSignalBase = 128;  // exit_code of what a signal ended, as shells count

std::string fatal(const model::Outcome& outcome) {
  return "Caught fatal signal " + std::to_string(outcome.exit_code.value_or(kSignalBase) - kSignalBase);
}

// Piston ends a program whose output is too long; ours runs on, its output is cut, and what it says of that is told.
void add_truncation(const model::Outcome& outcome, Ending& ending) {
  if (!ending.status.empty()) return;
  if (outcome.stdout_stream.truncated) {
    ending.status = "OL";
    ending.message = "stdout length exceeded";
  } else if (outcome.stderr_stream.truncated) {
    ending.status = "EL";
    ending.message = "stderr length exceeded";
  }
}

void write_stage(wire::JsonWriter& writer, const model::Outcome& outcome, std::string_view output) {
  const Ending ending = ending_of(outcome);
  const std::string_view out = wire::told(outcome.stdout_stream);
  const std::string_view err = wire::told(outcome.stderr_stream);
  writer.begin_object();
  writer.key("signal").text_or_null(ending.signal);
  writer.key("stdout").text(out).key("stderr").text(err);
  writer.key("code");
  if (ending.has_code) {
    writer.signed_number(ending.code);
  } else {
    writer.null();
  }
  writer.key("output").text(output.empty() ? std::string(out) + std::string(err) : std::string(output));
  writer.key("memory").number_or_null(outcome.usage.peak_memory_bytes);
  writer.key("message").text_or_null(ending.message);
  writer.key("status").text_or_null(ending.status);
  wire::write_milliseconds(writer, "cpu_time", outcome.usage.cpu_time);
  writer.key("wall_time").milliseconds(outcome.wall_time);
  writer.end_object();
}

}  // namespace

model::Outcome as_stage(const model::CompileReport& report) {
  model::Outcome stage;
  stage.status = report.status;
  stage.exit_code = report.exit_code;
  stage.signal = report.signal;
  stage.cause = report.cause;
  stage.stdout_stream = report.stdout_stream;
  stage.stderr_stream = report.stderr_stream;
  stage.wall_time = report.wall_time;
  stage.usage.cpu_time = report.cpu_time;
  stage.usage.peak_memory_bytes = report.peak_memory_bytes;
  return stage;
}

Ending ending_of(const model::Outcome& outcome) {
  Ending ending;
  switch (outcome.status) {
    case model::Status::kCompleted:
    case model::Status::kFailed:
      ending.has_code = true;
      ending.code = outcome.exit_code.value_or(0);
      if (ending.code != 0) {
        ending.status = "RE";
        ending.message = "Exited with error status " + std::to_string(ending.code);
      }
      break;
    case model::Status::kTimeout: ending = {"TO", "Time limit exceeded (wall clock)", "SIGKILL", false, 0}; break;
    case model::Status::kCpuExceeded: ending = {"TO", "Time limit exceeded", "SIGKILL", false, 0}; break;
    case model::Status::kSignaled:
    case model::Status::kCancelled:
      ending = {"SG", fatal(outcome), outcome.signal.value_or("SIGKILL"), false, 0};
      break;
    case model::Status::kMemoryExceeded:
    case model::Status::kSecurityViolation:
      ending = {"SG", fatal(outcome) + ": " + outcome.cause.text, outcome.signal.value_or("SIGKILL"), false, 0};
      break;
    case model::Status::kInternalError:
    case model::Status::kInterrupted: ending = {"XX", outcome.cause.text, "", false, 0}; break;
  }
  add_truncation(outcome, ending);
  return ending;
}

std::string result_json(const model::Outcome& outcome, const Runtime& runtime, std::string_view output) {
  wire::JsonWriter writer;
  writer.reserve(1024 + 3 * (outcome.stdout_stream.data.size() + outcome.stderr_stream.data.size()));
  writer.begin_object();
  if (outcome.compile) {
    writer.key("compile");
    write_stage(writer, as_stage(*outcome.compile), {});
  }
  if (!model::did_not_compile(outcome)) {
    writer.key("run");
    write_stage(writer, outcome, output);
  }
  writer.key("language").text(runtime.language);
  writer.key("version").text(version_text(runtime.version));
  return writer.end_object().take();
}

}  // namespace outrigger::piston
