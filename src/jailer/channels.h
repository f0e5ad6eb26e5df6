#pragma once

#include <array>
#include <cstdint>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::jailer {

// The daemon's ends of a jail's descriptors.
struct JailEnds {
  base::UniqueFd control;
  base::UniqueFd launch;
  base::UniqueFd stdin_end;
  base::UniqueFd stdout_end;
  base::UniqueFd stderr_end;
};

struct Channels {
  JailEnds daemon;
  std::array<base::UniqueFd, 5> jail;  // stdin, stdout, stderr, control, launch
};

// Pipes for the guest, which belong to its host id, and sockets for pid 1 and the launch. Error step: channels.
base::Result<Channels> open_channels(std::uint32_t guest_host_id);

}  // namespace outrigger::jailer
