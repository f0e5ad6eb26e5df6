#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/runtime.h"
#include "piston/semver.h"

namespace outrigger::piston {

// One of our runtimes as a client of Piston's knows it: its language's names are Piston's own, its version is the
// interpreter's.
struct Runtime {
  std::string language;              // "javascript"
  Version version{};                 // {18, 20, 4}
  std::vector<std::string> aliases;  // "node-js", "js"
  std::string runtime;               // "node": what runs it; empty where that has the language's name
  const model::InstalledRuntime* installed = nullptr;
};

std::string version_text(const Version& version);

// Those whose image has been built. What they point to is in `runtimes`.
std::vector<Runtime> known_runtimes(std::span<const model::InstalledRuntime> runtimes);

// The latest that has this name or alias and a version in this range; nothing where none has. `range`: see satisfies().
std::optional<Runtime> find_runtime(std::span<const model::InstalledRuntime> runtimes, std::string_view language,
                                    std::string_view range);

// GET /api/v2/runtimes: [{"language", "version", "aliases", "runtime"?}].
std::string runtimes_json(std::span<const model::InstalledRuntime> runtimes);

// GET /api/v2/packages: [{"language", "language_version", "installed"}]. Every runtime there is; of one that is not
// installed the version is not known, and is told as 0.0.0.
std::string packages_json(std::span<const model::InstalledRuntime> runtimes);

}  // namespace outrigger::piston
