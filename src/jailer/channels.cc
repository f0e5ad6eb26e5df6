#include "jailer/channels.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

// A pipe belongs to whoever made it: given to the guest's id, it can be opened again through /dev/stdin and its like.
base::Status make_pipe(base::UniqueFd& read_end, base::UniqueFd& write_end, std::uint32_t owner) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return base::system_error("channels", "pipe");
  read_end.reset(ends[0]);
  write_end.reset(ends[1]);
  if (::fchown(ends[0], owner, owner) != 0) return base::system_error("channels", "chown");
  return {};
}

base::Status set_nonblocking(const base::UniqueFd& fd) {
  if (::fcntl(fd.get(), F_SETFL, O_NONBLOCK) != 0) return base::system_error("channels", "O_NONBLOCK");
  return {};
}

}  // namespace

base::Result<Channels> open_channels(std::uint32_t guest_host_id) {
  Channels channels;
  auto& [in, out, err, control, launch] = channels.jail;
  base::Status status = make_pipe(in, channels.daemon.stdin_end, guest_host_id);
  if (status) status = make_pipe(channels.daemon.stdout_end, out, guest_host_id);
  if (status) status = make_pipe(channels.daemon.stderr_end, err, guest_host_id);
  if (!status) return std::unexpected(status.error());
  auto control_pair = sys::socket_pair(SOCK_SEQPACKET);
  auto launch_pair = sys::socket_pair(SOCK_STREAM);
  if (!control_pair || !launch_pair) return base::system_error("channels", "socketpair");
  channels.daemon.control = std::move(control_pair->first);
  control = std::move(control_pair->second);
  channels.daemon.launch = std::move(launch_pair->first);
  launch = std::move(launch_pair->second);
  for (const base::UniqueFd* fd : {&channels.daemon.control, &channels.daemon.launch, &channels.daemon.stdin_end,
                                   &channels.daemon.stdout_end, &channels.daemon.stderr_end}) {
    if (status = set_nonblocking(*fd); !status) return std::unexpected(status.error());
  }
  return channels;
}

}  // namespace outrigger::jailer
