#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::jailer {

// Steps of errors. The jailer has died: a call to it was not answered, a jail of its has ended.
inline constexpr char kJailerDied[] = "jailer_died";
// There will be no jailer any more.
inline constexpr char kKeeperDied[] = "keeper_died";

// A jailer that serves.
struct Serving {
  std::uint32_t generation = 0;  // its number among its keeper's; part of every handle it gives
  pid_t pid = -1;
  base::UniqueFd socket;  // SOCK_SEQPACKET; closing it ends the jailer and every jail
  base::UniqueFd pidfd;   // readable when the jailer has died; no child of this process
};

// What the keeper has to say.
struct Announced {
  std::optional<Serving> serving;
  std::string cgroup_driver;  // "v2", "v1"
  std::string cgroup_root;
  // Without a jailer:
  base::Error error;  // of the last one, or of its start
  std::uint32_t failed_in_a_row = 0;
  std::chrono::milliseconds pause{0};  // until the next try
};

// The next thing it has to say. Errors: EAGAIN on a non-blocking socket, kKeeperDied.
base::Result<Announced> receive_announcement(int keeper);

}  // namespace outrigger::jailer
