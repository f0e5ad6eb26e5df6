#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "config/config.h"

namespace outrigger::config {

// What was said about places, strongest first: options, environment, (the configuration file's [paths], applied by
// load()), defaults.
struct PathOptions {
  std::optional<std::filesystem::path> config_file;
  std::optional<std::filesystem::path> state_dir;
  std::optional<std::filesystem::path> images_dir;
  std::optional<std::filesystem::path> runtimes_dir;
};

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// The process's own environment.
std::optional<std::string> process_environment(const std::string& name);

// The directory of the running program, symbolic links resolved.
std::filesystem::path executable_directory();

// All places, absolute. OUTRIGGER_IMAGES_DIR and OUTRIGGER_RUNTIMES_DIR stand behind the options. A program that lies
// in a build tree (its ../../runtimes exists) uses that tree's runtimes/ and <exe dir>/../images, an installed one
// /usr/share/outrigger/runtimes and /var/lib/outrigger/images.
Paths resolve_paths(const PathOptions& options, const std::filesystem::path& exe_dir = executable_directory(),
                    const Environment& environment = process_environment);

}  // namespace outrigger::config
