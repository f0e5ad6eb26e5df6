#include "base/base64.h"
#include "base/utf8.h"
#include "wire/collected_files.h"
#include "wire/execute_request.h"
#include "wire/json_writer.h"
#include "wire/limits_text.h"

namespace outrigger::wire {
namespace {

void write_file(JsonWriter& writer, const model::InputFile& file) {
  writer.begin_object().key("path").text(file.path);
  if (base::is_utf8(file.content)) {
    writer.key("content").text(file.content);
  } else {
    writer.key("content").text(base::base64_encode(file.content)).key("encoding").text("base64");
  }
  if (file.mode != model::InputFile{}.mode) writer.key("mode").text(mode_text(file.mode));
  writer.end_object();
}

void write_asked_limits(JsonWriter& writer, const model::Limits& limits) {
  const model::Limits defaults;
  if (limits == defaults) return;
  writer.key("limits").begin_object();
  for (const model::LimitField& field : model::kLimitFields) {
    if (field.get(limits) != field.get(defaults)) write_limit(writer, field, limits);
  }
  writer.end_object();
}

// All but limits, code and stdin.
void write_rest(JsonWriter& writer, const model::Job& job) {
  if (!job.args.empty()) {
    writer.key("args").begin_array();
    for (const std::string& arg : job.args) writer.text(arg);
    writer.end_array();
  }
  if (!job.env.empty()) {
    writer.key("env").begin_object();
    for (const auto& [name, value] : job.env) writer.key(name).text(value);
    writer.end_object();
  }
  if (!job.files.empty()) {
    writer.key("files").begin_array();
    for (const model::InputFile& file : job.files) write_file(writer, file);
    writer.end_array();
  }
  if (!job.collect.empty()) {
    writer.key("collect").begin_array();
    for (const std::string& pattern : job.collect) writer.text(pattern);
    writer.end_array();
  }
  writer.key("output_encoding").text(job.output_encoding == model::OutputEncoding::kBase64 ? "base64" : "utf8");
}

void write_head(JsonWriter& writer, const model::Job& job) {
  writer.key("tenant_id").text(job.tenant_id);
  writer.key("language").text(job.language);
}

}  // namespace

std::string to_json(const model::Job& job) {
  JsonWriter writer;
  writer.begin_object();
  write_head(writer, job);
  writer.key("code").text(job.code);
  if (!job.stdin_data.empty()) writer.key("stdin").text(job.stdin_data);
  write_asked_limits(writer, job.limits);
  write_rest(writer, job);
  return writer.end_object().take();
}

std::string queued_body(const model::Job& job, std::string_view callback_url) {
  const bool text = base::is_utf8(job.code) && base::is_utf8(job.stdin_data);
  JsonWriter writer;
  writer.begin_object();
  write_head(writer, job);
  writer.key("code").text(text ? job.code : base::base64_encode(job.code));
  writer.key("stdin").text(text ? job.stdin_data : base::base64_encode(job.stdin_data));
  writer.key("input_encoding").text(text ? "utf8" : "base64");
  if (job.stderr_to_stdout) writer.key("stderr_to_stdout").boolean(true);
  write_limits(writer.key("limits"), job.limits);
  write_rest(writer, job);
  if (!callback_url.empty()) writer.key("callback_url").text(callback_url);
  if (!job.annotation.empty()) writer.key("annotation").text(job.annotation);
  return writer.end_object().take();
}

}  // namespace outrigger::wire
