#include "config/paths.h"

#include <array>
#include <cstdlib>
#include <system_error>

namespace outrigger::config {
namespace {

namespace fs = std::filesystem;

fs::path made_absolute(const fs::path& path) {
  std::error_code ec;
  const fs::path out = fs::absolute(path, ec);
  return ec ? path : out.lexically_normal();
}

bool has_directory(const fs::path& path) {
  std::error_code ec;
  return fs::is_directory(path, ec);
}

// A build directory may lie in the tree as build/, or as build/<preset>/.
struct BuildTree {
  fs::path runtimes;
  fs::path images;
};

std::optional<BuildTree> find_build_tree(const fs::path& exe_dir) {
  const fs::path build = exe_dir / "..";
  if (has_directory(build / ".." / "runtimes")) return BuildTree{build / ".." / "runtimes", build / "images"};
  if (!has_directory(build / ".." / ".." / "runtimes")) return std::nullopt;
  // A preset's build shares the images of the main one, unless it has its own.
  const bool own = has_directory(build / "images") || !has_directory(build / ".." / "images");
  return BuildTree{build / ".." / ".." / "runtimes", own ? build / "images" : build / ".." / "images"};
}

fs::path choose(const std::optional<fs::path>& option, const std::optional<std::string>& variable,
                const fs::path& otherwise) {
  if (option) return made_absolute(*option);
  if (variable && !variable->empty()) return made_absolute(*variable);
  return made_absolute(otherwise);
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): before any thread is started
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

fs::path executable_directory() {
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec).parent_path();
}

Paths resolve_paths(const PathOptions& options, const fs::path& exe_dir, const Environment& environment) {
  const auto tree = find_build_tree(exe_dir);
  Paths paths;
  paths.runtimes_dir = choose(options.runtimes_dir, environment("OUTRIGGER_RUNTIMES_DIR"),
                              tree ? tree->runtimes : fs::path("/usr/share/outrigger/runtimes"));
  paths.images_dir = choose(options.images_dir, environment("OUTRIGGER_IMAGES_DIR"),
                            tree ? tree->images : fs::path("/var/lib/outrigger/images"));
  paths.run_dir = made_absolute(options.state_dir.value_or("/run/outrigger"));
  paths.lib_dir = made_absolute(options.state_dir.value_or("/var/lib/outrigger"));
  const fs::path default_file = options.state_dir ? *options.state_dir / "config.toml" : "/etc/outrigger/config.toml";
  paths.config_file = made_absolute(options.config_file.value_or(default_file));
  return paths;
}

}  // namespace outrigger::config
