#include "sys/message_socket.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstring>

namespace outrigger::sys {
namespace {

constexpr std::size_t kControlSpace = CMSG_SPACE(sizeof(int) * kMaxFdsPerMessage);

std::vector<base::UniqueFd> take_fds(msghdr& header) {
  std::vector<base::UniqueFd> fds;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof fd);
      fds.emplace_back(fd);
    }
  }
  return fds;
}

}  // namespace

base::Result<std::pair<base::UniqueFd, base::UniqueFd>> socket_pair(int type) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) return base::system_error("socketpair");
  return std::pair(base::UniqueFd(ends[0]), base::UniqueFd(ends[1]));
}

base::Status send_message(int socket, std::span<const std::byte> bytes, std::span<const int> fds) {
  if (fds.size() > kMaxFdsPerMessage) return base::system_error("send_message", "too many descriptors", EMSGSIZE);
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};  // NOLINT: sendmsg does not write
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, kControlSpace> control{};
  if (!fds.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size_bytes());
  }
  ssize_t sent = -1;
  do {
    sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return base::system_error("send_message");
  return {};
}

base::Result<Received> receive_message(int socket, std::span<std::byte> buffer) {
  iovec part{buffer.data(), buffer.size()};
  alignas(cmsghdr) std::array<char, kControlSpace> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t got = -1;
  do {
    got = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return base::system_error("receive_message");
  Received received{static_cast<std::size_t>(got), take_fds(header)};
  if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return base::system_error("receive_message", "cut", EMSGSIZE);
  return received;
}

}  // namespace outrigger::sys
