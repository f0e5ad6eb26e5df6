#include "piston/runtimes.h"

#include <algorithm>
#include <array>

#include "wire/json_writer.h"

namespace outrigger::piston {
namespace {

// Where Piston's packages name a language otherwise than we do. Our own names and aliases hold besides.
struct Naming {
  std::string_view ours;
  std::string_view language;
  std::string_view runtime;
  std::array<std::string_view, 4> aliases;
};
constexpr std::array<Naming, 8> kNamings{{
    {"python", "python", "", {"py", "py3", "python3"}},
    {"node", "javascript", "node", {"node-javascript", "node-js", "javascript", "js"}},
    {"c", "c", "gcc", {"gcc"}},
    {"cpp", "c++", "gcc", {"cpp", "g++"}},
    {"go", "go", "", {"go", "golang"}},
    {"rust", "rust", "", {"rs"}},
    {"ruby", "ruby", "", {"ruby3", "rb"}},
    {"perl", "perl", "", {"pl"}},
}};

bool takes(const Runtime& runtime, std::string_view language) {
  return runtime.language == language || std::ranges::find(runtime.aliases, language) != runtime.aliases.end();
}

void add_alias(Runtime& runtime, std::string_view name) {
  if (!name.empty() && name != runtime.language && !takes(runtime, name)) runtime.aliases.emplace_back(name);
}

Runtime as_piston_has_it(const model::InstalledRuntime& installed) {
  const model::Runtime& ours = installed.runtime;
  Runtime out{ours.name, version_of_package(installed.version), {}, {}, &installed};
  const auto* naming = std::ranges::find(kNamings, ours.name, &Naming::ours);
  if (naming != kNamings.end()) {
    out.language = naming->language;
    out.runtime = naming->runtime;
    for (const std::string_view alias : naming->aliases) add_alias(out, alias);
  }
  add_alias(out, ours.name);
  for (const std::string& alias : ours.aliases) add_alias(out, alias);
  return out;
}

}  // namespace

std::string version_text(const Version& version) {
  return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]);
}

std::vector<Runtime> known_runtimes(std::span<const model::InstalledRuntime> runtimes) {
  std::vector<Runtime> out;
  for (const model::InstalledRuntime& each : runtimes) {
    if (!each.image_path.empty()) out.push_back(as_piston_has_it(each));
  }
  return out;
}

std::optional<Runtime> find_runtime(std::span<const model::InstalledRuntime> runtimes, std::string_view language,
                                    std::string_view range) {
  std::optional<Runtime> found;
  for (Runtime& each : known_runtimes(runtimes)) {
    if (!takes(each, language) || !satisfies(each.version, range)) continue;
    if (!found || found->version < each.version) found = std::move(each);
  }
  return found;
}

std::string runtimes_json(std::span<const model::InstalledRuntime> runtimes) {
  wire::JsonWriter writer;
  writer.begin_array();
  for (const Runtime& each : known_runtimes(runtimes)) {
    writer.begin_object().key("language").text(each.language).key("version").text(version_text(each.version));
    writer.key("aliases").begin_array();
    for (const std::string& alias : each.aliases) writer.text(alias);
    writer.end_array();
    if (!each.runtime.empty()) writer.key("runtime").text(each.runtime);
    writer.end_object();
  }
  return writer.end_array().take();
}

std::string packages_json(std::span<const model::InstalledRuntime> runtimes) {
  wire::JsonWriter writer;
  writer.begin_array();
  for (const model::InstalledRuntime& each : runtimes) {
    writer.begin_object().key("language").text(each.runtime.name);
    writer.key("language_version").text(version_text(version_of_package(each.version)));
    writer.key("installed").boolean(!each.image_path.empty()).end_object();
  }
  return writer.end_array().take();
}

}  // namespace outrigger::piston
