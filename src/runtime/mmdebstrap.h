#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "runtime/machine_apt.h"

namespace outrigger::runtime {

// One run of mmdebstrap(1): Debian's essential packages and `packages` with what they depend on, installed by dpkg with
// their maintainer scripts, so that any package works as on a real machine.
struct Bootstrap {
  std::string program;                // path of mmdebstrap
  std::filesystem::path work_dir;     // exists, empty; the tree is made in work_dir/root
  std::vector<std::string> packages;  // checked names
  Archive archive;
};

// The command line, for tests: nothing in it passes through a shell.
std::vector<std::string> bootstrap_command(const Bootstrap& bootstrap);

// Runs it, in a mount namespace of its own so that whatever it mounts is gone when it is, however it ends; it is told
// to end when we do. An error carries its last lines.
base::Status run_bootstrap(const Bootstrap& bootstrap, const std::function<void(std::string_view)>& progress);

}  // namespace outrigger::runtime
