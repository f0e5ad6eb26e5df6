#include "store_redis/link.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace outrigger::store_redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kStep = "redis_exchange";
constexpr std::size_t kReadSize = 64UL << 10U;

}  // namespace

Link::Link(Address address, std::size_t largest_reply) : address_(std::move(address)), largest_reply_(largest_reply) {}

void Link::drop() {
  fd_.reset();
  reader_.reset();
}

std::unexpected<base::Error> Link::broken(std::string_view why) const {
  return base::failure(base::Code::kSystem, kStep, address_.place() + ": " + std::string(why));
}

// An idle connection that the server has closed, or that says something unasked, is none.
bool Link::stands() const {
  char byte = 0;
  return fd_ && ::recv(fd_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

base::Status Link::connect(Deadline deadline) {
  drop();
  auto fd = connect_to(address_, deadline);
  if (!fd) return std::unexpected(fd.error());
  fd_ = std::move(*fd);
  reader_.reset(redisReaderCreate());
  if (!reader_) throw std::bad_alloc();
  return introduce(deadline);
}

// PING, so that a server that wants a password says so in those words.
base::Status Link::introduce(Deadline deadline) {
  Commands commands;
  const bool logs_in = !address_.password.empty();
  if (logs_in && address_.user.empty()) commands.add({"AUTH", address_.password});
  if (logs_in && !address_.user.empty()) commands.add({"AUTH", address_.user, address_.password});
  commands.add({"PING"});
  commands.add({"SELECT", std::to_string(address_.database)});
  const auto replies = send_and_read(commands, deadline, -1);
  if (!replies) return std::unexpected(replies.error());
  const auto error_of = [&](std::size_t from_end) {
    return as_error(*replies->at(replies->size() - from_end)).value_or(std::string_view());
  };
  // Only the first word of what the server says: the rest may repeat what it was sent.
  const auto failed = [&](std::string_view what, std::string_view error) {
    const std::string word(error.substr(0, error.find(' ')));
    return base::failure(base::Code::kSystem, "redis_login",
                         address_.place() + ": " + std::string(what) + " (" + word + ")");
  };
  if (logs_in && !error_of(3).empty()) return failed("the server refuses user or password", error_of(3));
  if (error_of(2).starts_with("NOAUTH")) return failed("the server wants a password", error_of(2));
  if (!error_of(1).empty()) return failed("the server refuses the database", error_of(1));
  return {};
}

base::Result<std::vector<Reply>> Link::exchange(const Commands& commands, Deadline deadline, int wake_fd) {
  if (!stands()) {
    if (const auto status = connect(deadline); !status) {
      drop();
      return std::unexpected(status.error());
    }
  }
  auto replies = send_and_read(commands, deadline, wake_fd);
  if (!replies) drop();
  return replies;
}

base::Result<std::vector<Reply>> Link::send_and_read(const Commands& commands, Deadline deadline, int wake_fd) {
  std::vector<Reply> replies;
  replies.reserve(commands.count());
  std::string_view unsent = commands.bytes();
  std::size_t received = 0;
  while (replies.size() < commands.count()) {
    base::Status status = send_some(unsent);
    if (status) status = wait(!unsent.empty(), deadline, wake_fd);
    if (status) status = read_some(replies, received);
    if (!status) return std::unexpected(status.error());
  }
  if (replies.size() > commands.count()) return broken("an answer to nothing");
  return replies;
}

base::Status Link::send_some(std::string_view& unsent) {
  while (!unsent.empty()) {
    const ssize_t sent = ::send(fd_.get(), unsent.data(), unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return {};
    if (sent < 0) return base::system_error(kStep, address_.place());
    unsent.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

base::Status Link::wait(bool to_send, Deadline deadline, int wake_fd) {
  const short wanted = to_send ? POLLIN | POLLOUT : POLLIN;
  std::array<pollfd, 2> watched{pollfd{fd_.get(), wanted, 0}, pollfd{wake_fd, POLLIN, 0}};
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count();
    const int ready =
        left <= 0 ? 0 : ::poll(watched.data(), watched.size(), static_cast<int>(std::min(left, 3'600'000L)));
    if (ready == 0) return base::failure(base::Code::kTimedOut, kStep, address_.place());
    if (ready < 0 && errno != EINTR) return base::system_error(kStep, address_.place());
    // What has arrived goes first: it may be a job.
    if (ready > 0 && watched[0].revents != 0) return {};
    if (ready > 0) return base::failure(base::Code::kCancelled, kStep, "interrupted");
  }
}

base::Status Link::read_some(std::vector<Reply>& replies, std::size_t& received) {
  std::array<char, kReadSize> buffer;
  const ssize_t size = ::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return {};
  if (size < 0) return base::system_error(kStep, address_.place());
  if (size == 0) return broken("the server closed the connection");
  received += static_cast<std::size_t>(size);
  if (received > largest_reply_)
    return broken("the answer is larger than " + std::to_string(largest_reply_) + " bytes");
  if (redisReaderFeed(reader_.get(), buffer.data(), static_cast<std::size_t>(size)) != REDIS_OK)
    return broken(reader_->errstr);
  for (;;) {
    void* parsed = nullptr;
    if (redisReaderGetReply(reader_.get(), &parsed) != REDIS_OK) return broken(reader_->errstr);
    if (parsed == nullptr) return {};
    replies.emplace_back(static_cast<redisReply*>(parsed));
  }
}

}  // namespace outrigger::store_redis
