#include "pool/language.h"

#include <algorithm>

#include "model/runtime_name.h"

namespace outrigger::pool {

const model::InstalledRuntime* find_runtime(const std::vector<model::InstalledRuntime>& runtimes,
                                            std::string_view language) {
  const auto found =
      std::ranges::find_if(runtimes, [language](const auto& each) { return model::has_name(each.runtime, language); });
  return found == runtimes.end() ? nullptr : &*found;
}

std::optional<LanguageFault> settle_language(model::Job& job, const std::vector<model::InstalledRuntime>& runtimes) {
  const model::InstalledRuntime* found = find_runtime(runtimes, job.language);
  if (found == nullptr) {
    std::string known;
    for (const model::InstalledRuntime& each : runtimes) known += (known.empty() ? "" : ", ") + each.runtime.name;
    return LanguageFault{false, "language", "language is not one of: " + known};
  }
  const model::Runtime& runtime = found->runtime;
  if (found->image_path.empty()) {
    return LanguageFault{true, "language",
                         "the root file system \"" + runtime.image + "\" that " + runtime.name +
                             " runs in has not been built; its operator does that with: outrigger runtime build " +
                             runtime.name};
  }
  job.language = runtime.name;
  for (std::size_t i = 0; i < job.files.size(); ++i) {
    const std::string& path = job.files[i].path;
    if (path != runtime.source_file && !path.starts_with(runtime.source_file + "/")) continue;
    const std::string field = "files[" + std::to_string(i) + "].path";
    return LanguageFault{false, field, field + " must not be " + runtime.source_file + ": code is laid there"};
  }
  return std::nullopt;
}

}  // namespace outrigger::pool
