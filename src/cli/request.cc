#include "cli/request.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "wire/collected_files.h"
#include "wire/json_writer.h"

namespace outrigger::cli {
namespace {

void write_files(wire::JsonWriter& writer, const std::vector<model::InputFile>& files) {
  writer.key("files").begin_array();
  for (const model::InputFile& file : files) {
    const bool text = base::is_utf8(file.content);
    writer.begin_object().key("path").text(file.path);
    writer.key("content").text(text ? file.content : base::base64_encode(file.content));
    writer.key("encoding").text(text ? "utf8" : "base64");
    writer.key("mode").text(wire::mode_text(file.mode)).end_object();
  }
  writer.end_array();
}

void write_asked_limits(wire::JsonWriter& writer, const RunOptions& options) {
  writer.key("limits").begin_object();
  for (const auto& [field, value] : options.limits) {
    writer.key(field->name);
    if (field->whole) {
      writer.number(static_cast<std::uint64_t>(value));
    } else {
      writer.real(value);
    }
  }
  writer.end_object();
}

}  // namespace

std::string request_body(const RunOptions& options, const Program& program, model::OutputEncoding encoding) {
  wire::JsonWriter writer;
  writer.begin_object();
  writer.key("tenant_id").text(options.tenant);
  writer.key("language").text(program.language);
  writer.key("code").text(program.code);
  writer.key("stdin").text(program.stdin_data);
  writer.key("args").begin_array();
  for (const std::string& arg : options.args) writer.text(arg);
  writer.end_array();
  writer.key("env").begin_object();
  for (const auto& [name, value] : options.env) writer.key(name).text(value);
  writer.end_object();
  write_files(writer, program.files);
  writer.key("collect").begin_array();
  for (const std::string& pattern : options.collect) writer.text(pattern);
  writer.end_array();
  write_asked_limits(writer, options);
  writer.key("output_encoding").text(encoding == model::OutputEncoding::kBase64 ? "base64" : "utf8");
  writer.end_object();
  return writer.take();
}

}  // namespace outrigger::cli
