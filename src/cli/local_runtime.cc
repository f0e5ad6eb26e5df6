#include "cli/local_runtime.h"

#include "model/runtime_name.h"
#include "runtime/registry.h"

namespace outrigger::cli {

std::expected<model::InstalledRuntime, wire::ErrorBody> find_runtime(const config::Paths& paths,
                                                                     std::string_view language) {
  const auto all = runtime::load_all(paths.runtimes_dir, paths.images_dir);
  if (!all) return std::unexpected(wire::ErrorBody{"runtime_unavailable", all.error().text(), ""});
  std::string known;
  for (const model::InstalledRuntime& each : *all) {
    const model::Runtime& runtime = each.runtime;
    known += (known.empty() ? "" : ", ") + runtime.name;
    if (!model::has_name(runtime, language)) continue;
    if (!each.image_path.empty()) return each;
    return std::unexpected(wire::ErrorBody{"runtime_unavailable",
                                           "the image of " + runtime.name + " is not built in " +
                                               paths.images_dir.string() + ": run `outrigger runtime build " +
                                               runtime.name + "` as root",
                                           "language"});
  }
  return std::unexpected(wire::ErrorBody{
      "invalid_request", "no runtime is called \"" + std::string(language) + "\"; there are " + known, "language"});
}

}  // namespace outrigger::cli
