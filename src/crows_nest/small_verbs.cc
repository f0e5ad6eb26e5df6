#include <cstdio>

#include "crows_nest/verbs.h"
#include "rules/rule.h"
#include "wire/json_writer.h"

namespace outrigger::crows_nest {

int cannot(const base::Error& error) {
  const bool sentence =
      error.code == base::Code::kNotFound || error.code == base::Code::kConflict || error.code == base::Code::kInvalid;
  const std::string text = sentence && !error.context.empty() ? error.context : error.text();
  static_cast<void>(std::fputs(("crows-nest: " + text + "\n").c_str(), stderr));
  return kCannotAudit;
}

int print(const std::string& text, int status) {
  const bool taken = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return taken ? status : kCannotAudit;
}

int run(const RulesOptions& options) {
  if (!options.json) {
    std::string text;
    for (const rules::RuleKind& kind : rules::all_rules()) {
      text += std::string(kind.name) + std::string(24 - std::min<std::size_t>(kind.name.size(), 23), ' ') +
              std::string(kind.about) + "\n";
    }
    return print(text);
  }
  wire::JsonWriter writer;
  writer.begin_array();
  for (const rules::RuleKind& kind : rules::all_rules()) {
    writer.begin_object();
    writer.key("rule").text(kind.name);
    writer.key("about").text(kind.about);
    writer.end_object();
  }
  writer.end_array();
  return print(writer.take() + "\n");
}

int run(const VersionOptions& options) {
  if (!options.json) return print("crows-nest " OUTRIGGER_VERSION "\n");
  wire::JsonWriter writer;
  writer.begin_object().key("version").text(OUTRIGGER_VERSION).end_object();
  return print(writer.take() + "\n");
}

}  // namespace outrigger::crows_nest
