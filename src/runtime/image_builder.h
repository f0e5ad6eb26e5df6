#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "runtime/definition.h"
#include "runtime/machine_apt.h"

namespace outrigger::runtime {

// An image and all that the runtimes which name it ask of it.
struct ImagePlan {
  std::string image;
  std::vector<std::string> packages;  // the union, sorted
  std::vector<std::string> programs;  // each runtime's command[0]: must be in the image when it is done
  bool on_demand = false;             // all its runtimes are: built only when asked for by name
};

std::vector<ImagePlan> plan_images(const std::vector<Definition>& definitions);

struct BuildOptions {
  std::filesystem::path images_dir;  // made where missing
  bool force = false;                // also where the image is up to date, to get newer packages
  std::string mmdebstrap = "/usr/bin/mmdebstrap";
  std::function<base::Result<Archive>(std::string_view suite)> archive = machine_archive;
  std::function<void(std::string_view)> progress;  // a line for people, now and then; may be empty
};

enum class BuildResult { kBuilt, kUpToDate };

// Makes <images dir>/<image> from Debian's packages, as this machine's own apt reaches them. Needs root. The image
// appears whole or not at all: it is made beside and swapped in, and an image that was there before serves until then.
// Processes that have the old image open (a running daemon) keep a tree that is being deleted: restart them.
base::Result<BuildResult> build_image(const ImagePlan& plan, const BuildOptions& options);

}  // namespace outrigger::runtime
