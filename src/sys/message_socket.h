#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

// Messages with descriptors over a connected AF_UNIX SOCK_SEQPACKET socket.
namespace outrigger::sys {

// SCM_MAX_FD is 253; no message of ours carries more than this.
inline constexpr std::size_t kMaxFdsPerMessage = 16;

// A connected pair, both ends close-on-exec. type: SOCK_SEQPACKET or SOCK_STREAM, SOCK_NONBLOCK may be added.
base::Result<std::pair<base::UniqueFd, base::UniqueFd>> socket_pair(int type);

// Sends one message. EAGAIN (a full, non-blocking socket) and EPIPE come back as errors; no SIGPIPE is raised.
base::Status send_message(int socket, std::span<const std::byte> bytes, std::span<const int> fds = {});

struct Received {
  std::size_t size = 0;  // 0: the peer has closed
  std::vector<base::UniqueFd> fds;
};

// Receives one message into `buffer`. A message or a descriptor list that did not fit is an error (EMSGSIZE), never
// cut silently. EAGAIN comes back as an error.
base::Result<Received> receive_message(int socket, std::span<std::byte> buffer);

}  // namespace outrigger::sys
