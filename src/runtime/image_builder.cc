#include "runtime/image_builder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>

#include "runtime/build_lock.h"
#include "runtime/image_programs.h"
#include "runtime/image_tree.h"
#include "runtime/mmdebstrap.h"
#include "runtime/stamp.h"
#include "sys/small_file.h"

namespace outrigger::runtime {
namespace {

namespace fs = std::filesystem;
using Progress = std::function<void(std::string_view)>;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  if (::gmtime_r(&now, &parts) == nullptr) return {};
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

bool up_to_date(const ImagePlan& plan, const fs::path& images_dir) {
  const auto stamp = read_stamp(images_dir, plan.image);
  std::error_code code;
  return stamp && holds(*stamp, plan.packages) && stamp->packages.size() == plan.packages.size() &&
         fs::is_directory(images_dir / plan.image, code);
}

base::Status make_directories(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) return base::system_error("make_directory", path.string(), code.value());
  return {};
}

// Makes the finished tree in work_dir/root.
base::Status make_tree(const ImagePlan& plan, const BuildOptions& options, const fs::path& work_dir,
                       const Progress& progress) {
  auto archive = options.archive(kSuite);
  if (!archive) return std::unexpected(archive.error());
  for (const std::string& source : archive->sources) progress("from: " + source);
  const Bootstrap bootstrap{options.mmdebstrap, work_dir, plan.packages, std::move(*archive)};
  if (const auto run = run_bootstrap(bootstrap, progress); !run) return run;
  progress("making it read-only, without set-id programs, devices and caches");
  if (const auto stripped = strip_tree(work_dir / "root"); !stripped) return stripped;
  if (const auto written = write_image_files(work_dir / "root"); !written) return written;
  return check_programs(work_dir / "root", plan.programs);
}

// What a crash must not leave behind is a stamp for a tree that is only half on the disk.
base::Status flush(const fs::path& directory) {
  const auto fd = sys::open_at(AT_FDCWD, directory.c_str(), O_RDONLY | O_DIRECTORY);
  if (!fd) return std::unexpected(fd.error());
  if (::syncfs(fd->get()) != 0) return base::system_error("sync", directory.string());
  return {};
}

// Swaps the new tree with the one in place, in one step; afterwards work_dir/root is the old one, if there was one.
base::Status put_in_place(const ImagePlan& plan, const fs::path& images_dir, const fs::path& work_dir) {
  if (const auto flushed = flush(work_dir / "root"); !flushed) return flushed;
  if (const auto removed = remove_stamp(images_dir, plan.image); !removed) return removed;
  const fs::path from = work_dir / "root";
  const fs::path to = images_dir / plan.image;
  int rc = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE);
  if (rc != 0 && errno == ENOENT) rc = ::rename(from.c_str(), to.c_str());
  if (rc != 0) return base::system_error("put_in_place", to.string());
  return write_stamp(images_dir, {plan.image, std::string(kSuite), plan.packages, kRecipe, utc_now()});
}

base::Status check_machine(const BuildOptions& options) {
  if (::geteuid() != 0) {
    return base::system_error("build_image", "building an image needs root: run it as root or with sudo", EPERM);
  }
  if (::access(options.mmdebstrap.c_str(), X_OK) != 0) {
    return base::failure(base::Code::kNotFound, "build_image",
                         "mmdebstrap is not installed: apt-get install mmdebstrap");
  }
  return {};
}

base::Status build_locked(const ImagePlan& plan, const BuildOptions& options, const Progress& progress) {
  const fs::path work_dir = options.images_dir / ("." + plan.image + ".building");
  if (const auto removed = remove_tree(work_dir); !removed) return removed;  // of a build that was killed
  if (const auto made = make_directories(work_dir); !made) return made;
  progress("building image " + plan.image + " (" + joined(plan.packages) + "); this takes about half a minute");
  const auto made = make_tree(plan, options, work_dir, progress);
  const auto placed = made ? put_in_place(plan, options.images_dir, work_dir) : made;
  const auto removed = remove_tree(work_dir);
  return placed ? removed : placed;
}

}  // namespace

std::vector<ImagePlan> plan_images(const std::vector<Definition>& definitions) {
  struct Wanted {
    std::set<std::string> packages;
    std::set<std::string> programs;
    bool on_demand = true;
  };
  std::map<std::string, Wanted> images;
  for (const Definition& definition : definitions) {
    const model::Runtime& runtime = definition.runtime;
    Wanted& wanted = images[runtime.image];
    wanted.packages.insert(runtime.packages.begin(), runtime.packages.end());
    const bool compiled = !runtime.compile.command.empty();
    if (compiled) wanted.programs.insert(runtime.compile.command.front());
    // A program that is compiled lies where no image has anything.
    if (!compiled || !runtime.command.front().starts_with("/tmp/")) wanted.programs.insert(runtime.command.front());
    wanted.on_demand = wanted.on_demand && runtime.on_demand;
  }
  std::vector<ImagePlan> plans;
  plans.reserve(images.size());
  for (const auto& [image, wanted] : images) {
    plans.push_back({image,
                     {wanted.packages.begin(), wanted.packages.end()},
                     {wanted.programs.begin(), wanted.programs.end()},
                     wanted.on_demand});
  }
  return plans;
}

base::Result<BuildResult> build_image(const ImagePlan& plan, const BuildOptions& options) {
  const Progress progress = options.progress ? options.progress : [](std::string_view) {};
  if (!options.force && up_to_date(plan, options.images_dir)) return BuildResult::kUpToDate;
  if (const auto able = check_machine(options); !able) return std::unexpected(able.error());
  if (const auto made = make_directories(options.images_dir); !made) return std::unexpected(made.error());
  const auto lock = lock_image(options.images_dir, plan.image, progress);
  if (!lock) return std::unexpected(lock.error());
  // Whoever held the lock may have built just this.
  if (!options.force && up_to_date(plan, options.images_dir)) return BuildResult::kUpToDate;
  if (const auto built = build_locked(plan, options, progress); !built) return std::unexpected(built.error());
  return BuildResult::kBuilt;
}

}  // namespace outrigger::runtime
