#include "runtime/compile_definition.h"

#include <algorithm>

#include "base/glob.h"
#include "model/limit_fields.h"
#include "runtime/definition_reader.h"

namespace outrigger::runtime {
namespace {

using Presence = DefinitionReader::Presence;
using Reason = std::optional<std::string>;

Reason check_artifact(std::string_view text) {
  const std::string_view fault = base::Glob::fault(text);
  return fault.empty() ? Reason() : Reason(fault);
}

Reason anything(std::string_view) { return {}; }

base::Status read_limits(const toml::table& table, std::string_view origin, model::Limits& limits) {
  DefinitionReader reader(table, origin);
  for (const model::LimitField& field : model::kLimitFields) {
    const double value = reader.real(field.name, field.get(limits), field.minimum, field.maximum, field.whole);
    field.set(limits, value);
  }
  return reader.finish();
}

}  // namespace

Reason check_variable_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  const bool good = !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, fits);
  return good ? Reason() : "must be a variable's name: letters, digits and _, not beginning with a digit";
}

base::Result<model::CompileStep> read_compile_step(const toml::table& table, std::string_view origin) {
  DefinitionReader reader(table, origin);
  model::CompileStep step;
  step.command = reader.texts("command", Presence::kRequired, anything);
  step.artifacts = reader.texts("artifacts", Presence::kRequired, check_artifact);
  step.env = reader.variables("env", check_variable_name, anything);
  const toml::table* limits = reader.table("limits");
  if (const auto finished = reader.finish(); !finished) return std::unexpected(finished.error());
  if (!step.command.front().starts_with('/')) {
    return base::failure(base::Code::kInvalid, "load_runtime",
                         std::string(origin) + ": `compile.command[0]` must be an absolute path in the image");
  }
  if (limits != nullptr) {
    if (const auto read = read_limits(*limits, origin, step.limits); !read) return std::unexpected(read.error());
  }
  return step;
}

}  // namespace outrigger::runtime
