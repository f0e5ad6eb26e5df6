#include "jailer/client.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <optional>
#include <span>

#include "jailer/protocol.h"
#include "sys/message_socket.h"

// The test plays the keeper and its jailers; a jailer's process is a child that only waits.
namespace outrigger::jailer {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct FakeJailer {
  FakeJailer() {
    auto pair = sys::socket_pair(SOCK_SEQPACKET).value();
    daemon_end = std::move(pair.first);
    own_end = std::move(pair.second);
    pid = ::fork();
    if (pid == 0) {
      ::close_range(STDERR_FILENO + 1, ~0U, 0);
      ::pause();
      ::_exit(0);
    }
    pidfd.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  }
  ~FakeJailer() { die(); }
  FakeJailer(const FakeJailer&) = delete;
  FakeJailer& operator=(const FakeJailer&) = delete;

  void die() {
    if (pid < 0) return;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    pid = -1;
    own_end.reset();
  }
  // Nothing was asked of it since.
  [[nodiscard]] std::optional<Request> next_request() const {
    Request request;
    std::array<std::byte, sizeof request> bytes{};
    if (::recv(own_end.get(), bytes.data(), bytes.size(), MSG_DONTWAIT) != static_cast<ssize_t>(bytes.size())) {
      return std::nullopt;
    }
    std::memcpy(&request, bytes.data(), bytes.size());
    return request;
  }

  pid_t pid = -1;
  base::UniqueFd daemon_end;
  base::UniqueFd own_end;
  base::UniqueFd pidfd;
};

class ClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto pair = sys::socket_pair(SOCK_SEQPACKET).value();
    keeper_ = std::move(pair.second);
    Started started;
    started.keeper = std::move(pair.first);
    started.jailer = {1, first_.pid, std::move(first_.daemon_end), base::UniqueFd(::dup(first_.pidfd.get()))};
    client_.emplace(context_.get_executor(), std::move(started));
    client_->on_change([this] { ++changes_; });
    asio::co_spawn(context_, client_->run(), [this](const std::exception_ptr& failure) {
      EXPECT_EQ(failure, nullptr);
      ended_ = true;
    });
  }

  void announce(std::uint32_t generation, FakeJailer& jailer) {
    Announcement announcement;
    announcement.generation = generation;
    const std::array fds{jailer.daemon_end.get(), jailer.pidfd.get()};
    ASSERT_TRUE(sys::send_message(keeper_.get(), std::as_bytes(std::span(&announcement, 1)), fds));
    jailer.daemon_end.reset();
  }

  template <typename Condition>
  void run_until(Condition condition) {
    asio::steady_timer limit(context_, 30s);
    limit.async_wait([](const boost::system::error_code& error) { ASSERT_TRUE(error) << "waited in vain"; });
    while (!condition()) context_.run_one();
  }

  asio::io_context context_{1};
  FakeJailer first_;
  base::UniqueFd keeper_;
  std::optional<Client> client_;
  int changes_ = 0;
  bool ended_ = false;
};

TEST_F(ClientTest, ACallThatIsUnderWayWhenTheJailerDiesIsToldSo) {
  std::optional<base::Result<Jail>> built;
  asio::co_spawn(context_, client_->build("a-job", 0, {}, Fork::kNo),
                 [&built](const std::exception_ptr&, base::Result<Jail> jail) { built.emplace(std::move(jail)); });
  run_until([this] { return first_.next_request().has_value(); });
  FakeJailer second;
  first_.die();
  announce(2, second);  // whoever waits for the first must not take the second for it
  run_until([&built] { return built.has_value(); });
  ASSERT_FALSE(built->has_value());
  EXPECT_EQ(built->error().step, kJailerDied);
  EXPECT_FALSE(second.next_request());
}

TEST_F(ClientTest, TheNextJailerTakesThePlaceOfTheDead) {
  first_.die();
  run_until([this] { return !client_->alive(); });
  EXPECT_NE(client_->trouble(), "");
  EXPECT_EQ(changes_, 1);
  FakeJailer second;
  announce(2, second);
  run_until([this] { return client_->alive(); });
  EXPECT_EQ(client_->trouble(), "");
  EXPECT_EQ(changes_, 2);
  client_->kill(first_handle(2));
  const auto request = second.next_request();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->handle, first_handle(2));
}

TEST_F(ClientTest, AHandleOfADeadJailerNeverReachesTheNext) {
  first_.die();
  FakeJailer second;
  announce(2, second);
  run_until([this] { return changes_ == 2; });
  const std::uint64_t stale = first_handle(1) + 5;
  client_->kill(stale);
  client_->discard(stale);
  client_->arm(stale, 1.0);
  std::optional<base::Status> destroyed;
  asio::co_spawn(context_, client_->destroy(stale), [&destroyed](const std::exception_ptr&, base::Status status) {
    destroyed.emplace(std::move(status));
  });
  run_until([&destroyed] { return destroyed.has_value(); });
  EXPECT_TRUE(destroyed->has_value());
  EXPECT_FALSE(second.next_request());
  EXPECT_FALSE(client_->lives(stale));
  EXPECT_TRUE(client_->lives(first_handle(2)));
}

TEST_F(ClientTest, ADeathIsKnownBeforeItIsHeardOf) {
  EXPECT_TRUE(client_->lives(first_handle(1)));
  ::kill(first_.pid, SIGKILL);
  ::waitpid(std::exchange(first_.pid, -1), nullptr, 0);
  EXPECT_FALSE(client_->lives(first_handle(1)));
  EXPECT_TRUE(client_->alive());
}

TEST_F(ClientTest, TwoDeathsInARowAreTwoJailersLater) {
  FakeJailer second;
  FakeJailer third;
  first_.die();
  announce(2, second);
  second.die();
  announce(3, third);
  run_until([this] { return client_->lives(first_handle(3)); });
  EXPECT_EQ(changes_, 4);
}

TEST_F(ClientTest, WhatKeepsTheNextFromStartingIsTold) {
  first_.die();
  Announcement announcement;
  announcement.failure.step.set("template");
  announcement.failure.context.set("/a/path");
  announcement.failed_in_a_row = 5;
  announcement.pause_ms = 500;
  ASSERT_TRUE(sys::send_message(keeper_.get(), std::as_bytes(std::span(&announcement, 1))));
  run_until([this] { return client_->trouble().find("template") != std::string::npos; });
  EXPECT_FALSE(client_->alive());
  EXPECT_NE(client_->trouble().find("5 times in a row; next try in 500 ms"), std::string::npos) << client_->trouble();
  EXPECT_EQ(client_->trouble().find("/a/path"), std::string::npos);
  FakeJailer second;
  announce(2, second);
  run_until([this] { return client_->alive(); });
}

TEST_F(ClientTest, WithoutAKeeperADeathIsTheLast) {
  first_.die();
  run_until([this] { return !client_->alive(); });
  keeper_.reset();
  run_until([this] { return ended_; });
  EXPECT_FALSE(client_->alive());
}

TEST_F(ClientTest, ClosingWhileNoneServesEndsTheKeeper) {
  first_.die();
  run_until([this] { return !client_->alive(); });
  bool closed = false;
  asio::co_spawn(context_, client_->close(), [&closed](const std::exception_ptr&) { closed = true; });
  run_until([this, &closed] { return closed && ended_; });
  std::array<std::byte, 1> byte{};
  EXPECT_EQ(::recv(keeper_.get(), byte.data(), 1, MSG_DONTWAIT), 0) << "the keeper sees the end";
}

}  // namespace
}  // namespace outrigger::jailer
