#include "webhook/test_receiver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace outrigger::webhook {
namespace {

// Whether head and body are there; the body's length is what Content-Length says.
bool is_whole(const std::string& request) {
  static constexpr std::string_view kLength = "Content-Length: ";
  const auto end = request.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  const auto at = request.find(kLength);
  std::size_t length = 0;
  if (at < end) std::from_chars(request.data() + at + kLength.size(), request.data() + end, length);
  return request.size() >= end + 4 + length;
}

}  // namespace

TestReceiver::TestReceiver(std::string answer)
    : answer_(std::move(answer)),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  auto* address = reinterpret_cast<sockaddr*>(&where);
  if (::bind(listener_.get(), address, size) != 0 || ::listen(listener_.get(), 16) != 0 ||
      ::getsockname(listener_.get(), address, &size) != 0) {
    throw std::runtime_error("no receiver");
  }
  port_ = ntohs(where.sin_port);
  thread_ = std::thread([this] { serve(); });
}

TestReceiver::~TestReceiver() { static_cast<void>(requests()); }

std::vector<std::string> TestReceiver::requests() {
  if (thread_.joinable()) {
    ::eventfd_write(stop_.get(), 1);
    thread_.join();
  }
  return requests_;
}

void TestReceiver::serve() {
  std::array<pollfd, 2> watched{pollfd{listener_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
  for (;;) {
    ::poll(watched.data(), watched.size(), -1);
    if (watched[1].revents != 0) return;
    const base::UniqueFd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (peer) serve_one(peer.get());
  }
}

void TestReceiver::serve_one(int peer) {
  std::string request;
  std::array<char, 65536> buffer{};
  const auto read_more = [&] {
    std::array<pollfd, 2> watched{pollfd{peer, POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
    ::poll(watched.data(), watched.size(), -1);
    if (watched[1].revents != 0) return false;
    const ssize_t size = ::recv(peer, buffer.data(), buffer.size(), 0);
    if (size > 0) request.append(buffer.data(), static_cast<std::size_t>(size));
    return size > 0;
  };
  while (!is_whole(request)) {
    if (!read_more()) return;
  }
  requests_.push_back(request);
  for (std::string_view unsent = answer_; !unsent.empty();) {
    const ssize_t sent = ::send(peer, unsent.data(), unsent.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    unsent.remove_prefix(static_cast<std::size_t>(sent));
  }
  while (answer_.empty() && read_more()) {
  }
}

}  // namespace outrigger::webhook
