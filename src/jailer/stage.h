#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace outrigger::jailer {

// Turns the jailer's own file system into a stage of which a jail inherits as little as possible: a tmpfs root with
//   /images/<n>   each image, read-only, nosuid, nodev, with a /dev of its own laid over
//   /proc         uncovered, as the kernel demands before a jail may mount its own
//   /root         where a jail puts its root together
// and nothing of the host's. Descriptors opened before stay good. Needs a single-threaded process with CAP_SYS_ADMIN.
base::Status build_stage(const std::vector<std::string>& images);

}  // namespace outrigger::jailer
