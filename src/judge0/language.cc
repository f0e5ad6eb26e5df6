#include "judge0/language.h"

#include <algorithm>
#include <array>

#include "wire/json_writer.h"

namespace outrigger::judge0 {
namespace {

// Judge0 CE's own numbers (judge0/judge0, db/languages, and what its hosted instance has since), the one that is
// listed first in each row.
struct Row {
  std::string_view runtime;
  std::string_view name;
  std::array<int, 5> ids;  // 0: none
};
constexpr std::array<Row, 12> kRows{{
    {"python", "Python", {71, 92, 100, 109}},
    {"node", "JavaScript (Node.js", {63, 93, 97, 102}},
    {"bash", "Bash", {46}},
    {"c", "C (GCC", {50, 48, 49, 103}},
    {"cpp", "C++ (GCC", {54, 52, 53, 105}},
    {"go", "Go", {60, 95, 106, 107}},
    {"rust", "Rust", {73, 108}},
    {"java", "Java (OpenJDK", {62, 91}},
    {"ruby", "Ruby", {72}},
    {"perl", "Perl", {85}},
    {"lua", "Lua", {64}},
    {"php", "PHP", {68, 98}},
}};

std::string version_of(const model::InstalledRuntime& installed) {
  const std::string_view version = installed.version;
  return std::string(version.substr(0, version.find_first_of("+-~")));
}

std::optional<Language> language_of(const Row& row, int id, std::span<const model::InstalledRuntime> runtimes) {
  const auto found =
      std::ranges::find_if(runtimes, [&row](const auto& each) { return each.runtime.name == row.runtime; });
  if (found == runtimes.end()) return std::nullopt;
  const bool names_its_maker = row.name.find('(') != std::string_view::npos;
  return Language{id, std::string(row.name) + (names_its_maker ? " " : " (") + version_of(*found) + ")", &*found};
}

std::string joined(const std::vector<std::string>& command) {
  std::string out;
  for (const std::string& word : command) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

std::optional<Language> find_language(std::span<const model::InstalledRuntime> runtimes, int id) {
  for (const Row& row : kRows) {
    if (id > 0 && std::ranges::find(row.ids, id) != row.ids.end()) return language_of(row, id, runtimes);
  }
  return std::nullopt;
}

std::string languages_json(std::span<const model::InstalledRuntime> runtimes, bool all) {
  wire::JsonWriter writer;
  writer.begin_array();
  for (const Row& row : kRows) {
    const auto language = language_of(row, row.ids.front(), runtimes);
    if (!language || language->installed->image_path.empty()) continue;
    writer.begin_object().key("id").signed_number(language->id).key("name").text(language->name);
    if (all) writer.key("is_archived").boolean(false);
    writer.end_object();
  }
  return writer.end_array().take();
}

std::string language_json(const Language& language) {
  const model::Runtime& runtime = language.installed->runtime;
  wire::JsonWriter writer;
  writer.begin_object().key("id").signed_number(language.id).key("name").text(language.name);
  writer.key("is_archived").boolean(false).key("source_file").text(runtime.source_file);
  writer.key("compile_cmd").text_or_null(joined(runtime.compile.command));
  writer.key("run_cmd").text(joined(runtime.command));
  return writer.end_object().take();
}

}  // namespace outrigger::judge0
