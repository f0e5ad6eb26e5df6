#pragma once

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "model/runtime.h"
#include "runtime/definition.h"

namespace outrigger::runtime {

// All runtimes of the directory, and what of each is on this machine. A runtime is installed where its image's stamp
// says that the image was finished, by this recipe, with all packages the runtime asks for; where not, image_path and
// version are empty. A fault in a definition is an error: a service must not start with half of its languages by
// mistake.
base::Result<std::vector<model::InstalledRuntime>> load_all(const std::filesystem::path& runtimes_dir,
                                                            const std::filesystem::path& images_dir);

// The same for one runtime.
model::InstalledRuntime find_installed(const model::Runtime& runtime, const std::filesystem::path& images_dir);

}  // namespace outrigger::runtime
