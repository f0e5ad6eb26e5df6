#include <string>
#include <vector>

#include "cli/print.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "runtime/registry.h"
#include "wire/json_writer.h"

namespace outrigger::cli {
namespace {

struct Row {
  runtime::Definition definition;
  model::InstalledRuntime installed;
};

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

std::string as_json(const std::vector<Row>& rows) {
  wire::JsonWriter writer;
  writer.begin_object().key("runtimes").begin_array();
  for (const Row& row : rows) {
    const model::Runtime& runtime = row.definition.runtime;
    writer.begin_object().key("name").text(runtime.name);
    writer.key("aliases").begin_array();
    for (const std::string& alias : runtime.aliases) writer.text(alias);
    writer.end_array();
    writer.key("description").text_or_null(row.definition.description);
    writer.key("image").text(runtime.image);
    writer.key("available").boolean(!row.installed.image_path.empty());
    writer.key("version").text_or_null(row.installed.version).end_object();
  }
  writer.end_array().end_object();
  return writer.take();
}

std::string as_table(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> cells{{"NAME", "VERSION", "IMAGE", "ALIASES", "DESCRIPTION"}};
  for (const Row& row : rows) {
    const model::Runtime& runtime = row.definition.runtime;
    const bool available = !row.installed.image_path.empty();
    const char* otherwise = runtime.on_demand ? "on demand" : "not built";
    cells.push_back({runtime.name, available ? row.installed.version : otherwise, runtime.image,
                     joined(runtime.aliases), row.definition.description});
  }
  return table(cells);
}

}  // namespace

int perform(const RuntimeListOptions& options) {
  const auto paths = config::resolve_paths(options.paths);
  const auto definitions = runtime::load_definitions(paths.runtimes_dir);
  if (!definitions) return fail({"runtime_unavailable", definitions.error().text(), ""}, options.json);
  std::vector<Row> rows;
  bool all_built = true;
  for (const runtime::Definition& definition : *definitions) {
    rows.push_back({definition, runtime::find_installed(definition.runtime, paths.images_dir)});
    all_built = all_built && (definition.runtime.on_demand || !rows.back().installed.image_path.empty());
  }
  if (!all_built)
    complain("images are missing in " + paths.images_dir.string() + ": run `outrigger runtime build` as root");
  return print_line(options.json ? as_json(rows) : as_table(rows));
}

}  // namespace outrigger::cli
