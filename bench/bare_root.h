#pragma once

#include <string>

#include "base/error.h"

namespace outrigger::bench {

// Moves this process into the tree `root`, with the host's /proc and /dev and an empty /tmp in it, in a mount namespace
// of its own: what it starts from then on are the very files a jail of that image runs, with no jail around them. Done
// once, before anything is measured. Must be called while there is one thread.
base::Status enter_bare_root(const std::string& root);

}  // namespace outrigger::bench
