#include "judge0/kept.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/base64.h"
#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/time_text.h"

namespace outrigger::judge0 {
namespace {

constexpr std::string_view kApi = "judge0";

std::string decoded(std::string_view text) { return base::base64_decode(text).value_or(""); }

void write_bytes(wire::JsonWriter& writer, std::string_view name, const std::string& bytes) {
  writer.key(name).text(base::base64_encode(bytes));
}

}  // namespace

std::string kept_json(const Kept& kept) {
  wire::JsonWriter writer;
  writer.begin_object().key("api").text(kApi).key("tenant_id").text(kept.tenant_id);
  writer.key("created_at").text(wire::time_text(kept.created_at));
  writer.key("language_id").signed_number(kept.language_id).key("language_name").text(kept.language_name);
  write_bytes(writer, "source_code", kept.source_code);
  if (kept.has_stdin && kept.stdin_data.size() <= kMaxKept) write_bytes(writer, "stdin", kept.stdin_data);
  if (kept.expected_output) write_bytes(writer, "expected_output", *kept.expected_output);
  if (kept.additional_files.size() <= kMaxKept) write_bytes(writer, "additional_files", kept.additional_files);
  writer.key("settings").begin_object();
  for (const auto& [name, value] : kept.settings) writer.key(name).text(value);
  writer.end_object();
  writer.key("command_line_arguments").text(kept.command_line_arguments);
  writer.key("callback_url").text(kept.callback_url);
  writer.key("redirect_stderr_to_stdout").boolean(kept.redirect_stderr_to_stdout);
  return writer.end_object().take();
}

std::optional<Kept> parse_kept(std::string_view annotation) {
  const auto object = wire::parse_object(annotation, "an annotation");
  if (!object) return std::nullopt;
  wire::Refusal refusal;
  const wire::Fields fields(*object, "", refusal);
  if (fields.optional_text("api") != kApi) return std::nullopt;
  Kept kept;
  kept.tenant_id = fields.required_text("tenant_id");
  const auto created_at = wire::parse_time(fields.required_text("created_at"));
  if (!created_at) return std::nullopt;
  kept.created_at = *created_at;
  if (const auto* id = fields.find("language_id"); id != nullptr && id->is_int64()) {
    kept.language_id = static_cast<int>(id->get_int64());
  }
  kept.language_name = fields.required_text("language_name");
  kept.source_code = decoded(fields.required_text("source_code"));
  kept.has_stdin = fields.find("stdin") != nullptr;
  kept.stdin_data = decoded(fields.optional_text("stdin"));
  if (fields.find("expected_output") != nullptr)
    kept.expected_output = decoded(fields.optional_text("expected_output"));
  kept.additional_files = decoded(fields.optional_text("additional_files"));
  if (const auto* settings = fields.optional_object("settings")) {
    const wire::Fields inner(*settings, "settings", refusal);
    for (const auto& member : *settings) {
      kept.settings.emplace_back(member.key(), inner.required_text(member.key()));
    }
  }
  kept.command_line_arguments = fields.optional_text("command_line_arguments");
  kept.callback_url = fields.optional_text("callback_url");
  kept.redirect_stderr_to_stdout = fields.required_boolean("redirect_stderr_to_stdout");
  if (refusal) return std::nullopt;
  return kept;
}

}  // namespace outrigger::judge0
