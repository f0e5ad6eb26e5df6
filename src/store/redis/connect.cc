#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "store_redis/link.h"

namespace outrigger::store_redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kStep = "redis_connect";

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

base::Status wait_until_connected(int fd, const std::string& place, Deadline deadline) {
  pollfd watched{fd, POLLOUT, 0};
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count();
    const int ready = left <= 0 ? 0 : ::poll(&watched, 1, static_cast<int>(left));
    if (ready == 0) return base::failure(base::Code::kTimedOut, kStep, place);
    if (ready < 0 && errno != EINTR) return base::system_error(kStep, place);
    if (ready > 0) break;
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return base::system_error(kStep, place, error);
  return {};
}

base::Result<base::UniqueFd> connect_socket(int family, const sockaddr* where, socklen_t size, const std::string& place,
                                            Deadline deadline) {
  base::UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return base::system_error(kStep, place);
  if (::connect(fd.get(), where, size) != 0) {
    // EAGAIN: a unix socket whose listener's queue is full. There is nothing to wait on; the caller comes again.
    if (errno != EINPROGRESS) return base::system_error(kStep, place);
    if (const auto status = wait_until_connected(fd.get(), place, deadline); !status) {
      return std::unexpected(status.error());
    }
  }
  const int on = 1;
  // Small commands that wait for each other's answers; a unix socket knows no such option and needs none.
  static_cast<void>(::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  return fd;
}

base::Result<base::UniqueFd> connect_unix(const Address& address, Deadline deadline) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  address.path.copy(where.sun_path, sizeof where.sun_path - 1);
  return connect_socket(AF_UNIX, reinterpret_cast<const sockaddr*>(&where), sizeof where, address.place(), deadline);
}

base::Result<base::UniqueFd> connect_tcp(const Address& address, Deadline deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) {
    return base::failure(base::Code::kSystem, "redis_resolve", address.host + ": " + ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, FreeAddresses> list(found);
  int left = 0;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) ++left;
  base::Result<base::UniqueFd> result = base::failure(base::Code::kSystem, "redis_resolve", address.host);
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next, --left) {
    // Each gets its share of the time, so that one that swallows packets does not hide the next.
    const auto now = steady_clock::now();
    result =
        connect_socket(one->ai_family, one->ai_addr, one->ai_addrlen, address.place(), now + (deadline - now) / left);
    if (result) break;
  }
  return result;
}

}  // namespace

base::Result<base::UniqueFd> connect_to(const Address& address, Deadline deadline) {
  return address.host.empty() ? connect_unix(address, deadline) : connect_tcp(address, deadline);
}

}  // namespace outrigger::store_redis
