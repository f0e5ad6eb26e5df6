#include "mcp/tool_result.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/utf8.h"
#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"

namespace outrigger::mcp {
namespace {

std::string_view what_happened(const model::Outcome& outcome) {
  if (outcome.cause.code == "compile") return "The program did not compile, and was not run";
  switch (outcome.status) {
    case model::Status::kCompleted: return "The program ended well";
    case model::Status::kFailed: return "The program failed";
    case model::Status::kTimeout: return "The program was ended: it took too long";
    case model::Status::kCpuExceeded: return "The program was ended: it used too much CPU time";
    case model::Status::kMemoryExceeded: return "The program was ended: it used too much memory";
    case model::Status::kSecurityViolation: return "The program was ended: it tried what is forbidden here";
    case model::Status::kSignaled: return "The program was ended by a signal";
    case model::Status::kCancelled: return "The program was ended: the run was cancelled";
    case model::Status::kInternalError: return "The sandbox failed, and the program may not have run";
    case model::Status::kInterrupted:
      return "The daemon ended while the program ran, and what became of it is not known";
  }
  return "The program ended";
}

struct Shown {
  std::string text;
  bool cut = false;
};

Shown shown(const model::CapturedStream& stream) {
  const bool cut = stream.truncated || stream.data.size() > kMaxOutput;
  std::string_view data = std::string_view(stream.data).substr(0, kMaxOutput);
  if (cut) data = data.substr(0, base::complete_prefix(data));
  return {base::to_utf8(data), cut};
}

void append_stream(std::string& text, std::string_view name, const model::CapturedStream& stream) {
  const Shown kept = shown(stream);
  if (stream.bytes == 0 && kept.text.empty()) return;
  text += "\n\n" + std::string(name);
  if (kept.cut) {
    text += " (cut: the first " + std::to_string(kept.text.size()) + " of " + std::to_string(stream.bytes) + " bytes)";
  }
  text += ":\n" + kept.text;
}

void write_ending(wire::JsonWriter& writer, const model::Outcome& outcome) {
  writer.key("job_id").text(outcome.job_id).key("language").text(outcome.language);
  writer.key("status").text(model::status_name(outcome.status));
  writer.key("exit_code");
  if (outcome.exit_code) {
    writer.signed_number(*outcome.exit_code);
  } else {
    writer.null();
  }
  writer.key("signal").text_or_null(outcome.signal.value_or(""));
  writer.key("cause").begin_object().key("code").text(outcome.cause.code);
  writer.key("text").text(outcome.cause.text).end_object();
}

std::string structured_run(const model::Outcome& outcome) {
  const Shown out = shown(outcome.stdout_stream);
  const Shown err = shown(outcome.stderr_stream);
  wire::JsonWriter writer;
  writer.begin_object();
  write_ending(writer, outcome);
  writer.key("stdout").text(out.text).key("stderr").text(err.text);
  writer.key("stdout_truncated").boolean(out.cut).key("stderr_truncated").boolean(err.cut);
  writer.key("wall_time_ms").milliseconds(outcome.wall_time);
  writer.key("peak_memory_bytes").number_or_null(outcome.usage.peak_memory_bytes);
  return writer.end_object().take();
}

bool went_wrong(const model::Outcome& outcome) { return outcome.status != model::Status::kCompleted; }

void append_language(std::string& text, wire::JsonWriter& writer, const boost::json::object& object,
                     wire::Refusal& refusal) {
  const wire::Fields fields(object, "languages[]", refusal);
  const std::string name(fields.required_text("name"));
  const std::string version(fields.optional_text("version"));
  const bool available = fields.required_boolean("available");
  writer.begin_object().key("name").text(name).key("version").text_or_null(version);
  writer.key("available").boolean(available).key("aliases").begin_array();
  text += "\n" + name + (version.empty() ? "" : " " + version);
  std::string aliases;
  if (const boost::json::array* list = fields.optional_array("aliases")) {
    for (const boost::json::value& alias : *list) {
      if (!alias.is_string()) continue;
      writer.text(std::string_view(alias.get_string()));
      aliases += (aliases.empty() ? "" : ", ") + std::string(alias.get_string());
    }
  }
  writer.end_array().end_object();
  if (!aliases.empty()) text += ", also called " + aliases;
  if (!available) text += " (not installed)";
}

}  // namespace

std::string ending_in_words(const model::Outcome& outcome) {
  std::string text(what_happened(outcome));
  const std::string& why = model::did_not_compile(outcome) ? outcome.compile->cause.text : outcome.cause.text;
  if (!why.empty()) text += ": " + why;
  return text + ".";
}

std::string tool_result(std::string_view text, std::string_view structured, bool is_error) {
  wire::JsonWriter writer;
  writer.reserve(256 + 2 * text.size() + structured.size());
  writer.begin_object().key("content").begin_array();
  writer.begin_object().key("type").text("text").key("text").text(text).end_object();
  writer.end_array();
  if (!structured.empty()) writer.key("structuredContent").json(structured);
  return writer.key("isError").boolean(is_error).end_object().take();
}

std::string run_result(const model::Outcome& outcome) {
  std::string text = ending_in_words(outcome);
  if (model::did_not_compile(outcome)) {
    append_stream(text, "The compiler's stdout", outcome.compile->stdout_stream);
    append_stream(text, "The compiler's stderr", outcome.compile->stderr_stream);
    return tool_result(text, structured_run(outcome), true);
  }
  append_stream(text, "stdout", outcome.stdout_stream);
  append_stream(text, "stderr", outcome.stderr_stream);
  if (outcome.stdout_stream.bytes == 0 && outcome.stderr_stream.bytes == 0) text += "\nIt wrote nothing.";
  return tool_result(text, structured_run(outcome), went_wrong(outcome));
}

std::string record_result(const model::RunRecord& record, std::string_view record_json) {
  const model::Outcome& outcome = record.outcome;
  const std::string text = ending_in_words(outcome) + "\nIt was " + outcome.language + ", and wrote " +
                           std::to_string(outcome.stdout_stream.bytes) + " bytes to stdout and " +
                           std::to_string(outcome.stderr_stream.bytes) + " to stderr, which are not kept.";
  return tool_result(text, record_json, false);
}

base::Result<std::string> languages_result(std::string_view languages_json) {
  const auto body = wire::parse_object(languages_json, "the list of languages");
  if (!body) return base::failure(base::Code::kInvalid, "languages_result", body.error().message);
  wire::Refusal refusal;
  const boost::json::array* languages = wire::Fields(*body, "", refusal).optional_array("languages");
  if (languages == nullptr) return base::failure(base::Code::kInvalid, "languages_result", "it has no languages");
  std::string text = "Languages that run_code takes:";
  wire::JsonWriter writer;
  writer.begin_object().key("languages").begin_array();
  for (const boost::json::value& each : *languages) {
    if (const boost::json::object* object = each.if_object()) append_language(text, writer, *object, refusal);
  }
  writer.end_array().end_object();
  if (refusal) return base::failure(base::Code::kInvalid, "languages_result", refusal.error().message);
  return tool_result(text, writer.take(), false);
}

}  // namespace outrigger::mcp
