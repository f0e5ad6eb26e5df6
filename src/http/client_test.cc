#include "http/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/unique_fd.h"

namespace outrigger::http {
namespace {

// Takes one connection on a loopback port, reads until `until` has come, and writes `answer`.
class OneShotServer {
 public:
  OneShotServer(std::string until, std::string answer) : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_.get(), generic, size), 0);
    EXPECT_EQ(::listen(listener_.get(), 1), 0);
    EXPECT_EQ(::getsockname(listener_.get(), generic, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, until = std::move(until), answer = std::move(answer)] { serve(until, answer); });
  }
  ~OneShotServer() {
    if (thread_.joinable()) thread_.join();
  }
  OneShotServer(const OneShotServer&) = delete;
  OneShotServer& operator=(const OneShotServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  std::string received() {
    thread_.join();
    return received_;
  }

 private:
  void serve(const std::string& until, const std::string& answer) {
    const base::UniqueFd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    char buffer[4096];
    while (received_.find(until) == std::string::npos) {
      const ssize_t got = ::read(peer.get(), buffer, sizeof buffer);
      if (got <= 0) return;
      received_.append(buffer, static_cast<std::size_t>(got));
    }
    EXPECT_EQ(::send(peer.get(), answer.data(), answer.size(), MSG_NOSIGNAL), static_cast<ssize_t>(answer.size()));
    // The rest of what the client sends: closing with unread bytes would reset the answer away.
    ::shutdown(peer.get(), SHUT_WR);
    while (::read(peer.get(), buffer, sizeof buffer) > 0) {
    }
  }

  base::UniqueFd listener_;
  std::uint16_t port_ = 0;
  std::string received_;
  std::thread thread_;
};

Request request_to(std::uint16_t port, std::string body) {
  Request request;
  request.host = "127.0.0.1";
  request.port = port;
  request.target = "/api/v1/execute";
  request.body = std::move(body);
  request.answer_timeout = std::chrono::seconds(10);
  return request;
}

TEST(Post, SendsTheBodyAndBringsTheAnswer) {
  OneShotServer server("{\"a\":1}", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
  Request request = request_to(server.port(), "{\"a\":1}");
  request.token = "s3cret";
  const auto answer = exchange(request);
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(answer->status, 200U);
  EXPECT_EQ(answer->body, "hello");
  EXPECT_THAT(server.received(), testing::AllOf(testing::StartsWith("POST /api/v1/execute HTTP/1.1\r\n"),
                                                testing::HasSubstr("Content-Type: application/json\r\n"),
                                                testing::HasSubstr("Authorization: Bearer s3cret\r\n"),
                                                testing::HasSubstr("Host: 127.0.0.1:")));
}

TEST(Post, AnEarlyRefusalIsHeardThoughTheBodyIsStillBeingSent) {
  OneShotServer server("\r\n\r\n",
                       "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
  const auto answer = exchange(request_to(server.port(), std::string(8U << 20, 'x')));
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(answer->status, 413U);
}

TEST(Post, NobodyListeningIsASentenceWithTheAddress) {
  std::uint16_t port = 0;
  {
    const OneShotServer gone("", "");
    port = gone.port();
    // Let it see one connection, so that it ends and the port is free.
    const auto ignored = exchange(request_to(port, ""));
    EXPECT_FALSE(ignored);
  }
  const auto answer = exchange(request_to(port, "{}"));
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().text, testing::HasSubstr("http://127.0.0.1:" + std::to_string(port)));
}

TEST(Post, AServerThatSaysNothingIsLeftInTime) {
  OneShotServer server("never comes", "");
  Request request = request_to(server.port(), "{}");
  request.answer_timeout = std::chrono::milliseconds(100);
  const auto answer = exchange(request);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().text, testing::HasSubstr("no answer"));
}

// A request for events, and what was told of them.
struct Followed {
  explicit Followed(std::uint16_t port) : request(request_to(port, "{}")) {
    request.on_events = [this](std::string_view piece) {
      told += piece;
      return told.find("enough") == std::string::npos;
    };
  }
  Request request;
  std::string told;
};

const std::string kStream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
const std::string kChunked = kStream + "Transfer-Encoding: chunked\r\n\r\n";

TEST(Events, AreToldAsTheyComeAndNotInTheAnswer) {
  for (const std::string& answer : {kChunked + "3\r\none\r\n4\r\n two\r\n0\r\n\r\n",
                                    kStream + "Content-Length: 7\r\n\r\none two", kStream + "\r\none two"}) {
    OneShotServer server("{}", answer);
    Followed followed(server.port());
    const auto end = exchange(followed.request);
    ASSERT_TRUE(end) << end.error().text;
    EXPECT_TRUE(end->told);
    EXPECT_EQ(end->body, "");
    EXPECT_EQ(followed.told, "one two");
    EXPECT_THAT(server.received(), testing::HasSubstr("Accept: text/event-stream\r\n"));
  }
}

TEST(Events, EndWhenThatIsEnough) {
  OneShotServer server("{}", kChunked + "6\r\nenough\r\n");  // and no end
  Followed followed(server.port());
  EXPECT_TRUE(exchange(followed.request));
}

TEST(Events, ThatBreakOffAreAnError) {
  OneShotServer server("{}", kChunked + "3\r\none\r\n4\r\n t");
  Followed followed(server.port());
  const auto end = exchange(followed.request);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().stage, Stage::kAnswer);
  EXPECT_EQ(followed.told, "one t");
}

TEST(Events, ARefusalIsAnAnswerAsAnyOther) {
  for (const std::string status : {"400 Bad Request", "200 OK"}) {
    OneShotServer server("{}",
                         "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
    Followed followed(server.port());
    const auto end = exchange(followed.request);
    ASSERT_TRUE(end) << end.error().text;
    EXPECT_FALSE(end->told);
    EXPECT_EQ(end->body, "{}");
    EXPECT_EQ(followed.told, "");
  }
}

TEST(Post, WhatIsNoHttpIsAnError) {
  OneShotServer server("{}", "SSH-2.0-OpenSSH\r\n");
  EXPECT_FALSE(exchange(request_to(server.port(), "{}")));
}

}  // namespace
}  // namespace outrigger::http
