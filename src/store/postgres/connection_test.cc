#include "store_postgres/connection.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/unique_fd.h"

namespace outrigger::store::postgres {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// Listens, and never says a word: what a frozen server or a firewall looks like.
class SilentServer {
 public:
  SilentServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_.get(), name, size), 0);
    EXPECT_EQ(::listen(socket_.get(), 8), 0);
    EXPECT_EQ(::getsockname(socket_.get(), name, &size), 0);
    port_ = ::ntohs(address.sin_port);
  }
  [[nodiscard]] std::string url() const {
    return "postgresql://user:hidden@127.0.0.1:" + std::to_string(port_) + "/db";
  }

 private:
  base::UniqueFd socket_;
  int port_ = 0;
};

TEST(Connection, ASilentServerIsATimeout) {
  const SilentServer server;
  Connection connection(server.url(), 200ms);
  const auto begin = steady_clock::now();
  const auto opened = connection.open("test", begin + 200ms);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, base::Code::kTimedOut);
  EXPECT_GE(steady_clock::now() - begin, 200ms);
  EXPECT_LT(steady_clock::now() - begin, 1s);
  EXPECT_FALSE(connection.is_open());
}

TEST(Connection, WhatIsNoUrlIsAnErrorWithoutIt) {
  for (const char* url : {"postgresql://hidden@[x", "hidden", "postgresql://u@h/d?hidden=1"}) {
    Connection connection(url, 1s);
    const auto opened = connection.open("test", steady_clock::now() + 1s);
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code, base::Code::kSystem);
    EXPECT_EQ(opened.error().text().find("hidden"), std::string::npos) << opened.error().text();
  }
}

}  // namespace
}  // namespace outrigger::store::postgres
