// Clients that leave, and a server that ends.
#include <gtest/gtest.h>

#include "api/test_client.h"
#include "api/test_server.h"

namespace outrigger::api {
namespace {

using std::chrono::milliseconds;

class LeavingClient : public testing::Test {
 protected:
  void SetUp() override { server_.start(); }
  void start_waiting_job(const std::string& after = "") {
    client_.emplace(server_.port());
    client_->send(post("/api/v1/execute", job("wait")) + after);
    ASSERT_TRUE(eventually([&] { return server_.service.started == 1; }));
  }
  void expect_cancelled() {
    EXPECT_TRUE(eventually([&] { return server_.service.ended == 1; }));
    EXPECT_EQ(server_.service.left, 1);
  }

  TestServer server_;
  std::optional<TestClient> client_;
};

TEST_F(LeavingClient, EndsItsJobByClosing) {
  start_waiting_job();
  client_.reset();
  expect_cancelled();
}

TEST_F(LeavingClient, EndsItsJobByAReset) {
  start_waiting_job();
  client_->reset();
  expect_cancelled();
}

TEST_F(LeavingClient, EndsItsJobByHalfClosing) {
  start_waiting_job();
  client_->half_close();
  expect_cancelled();
  EXPECT_TRUE(client_->closed());
}

TEST_F(LeavingClient, IsSeenBehindRequestsItSentOn) {
  start_waiting_job(get("/health"));
  client_->send(get("/health"));
  client_.reset();
  expect_cancelled();
}

TEST_F(LeavingClient, IsNotOneThatSendsOn) {
  start_waiting_job(get("/health"));
  client_->send(get("/health"));
  // As many turns as the watch would need to mistake it.
  TestClient other(server_.port());
  const auto end = std::chrono::steady_clock::now() + milliseconds{150};
  while (std::chrono::steady_clock::now() < end) {
    other.send(get("/health"));
    ASSERT_EQ(other.receive().status, 200);
  }
  EXPECT_EQ(server_.service.ended, 0);
  server_.on_loop([this] { server_.service.cancel_waiting(run::CancelReason::kRequested); });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client_->receive().status, 200);
}

TEST(ServerEnd, AnswersWhoWaitsAndTakesNoMore) {
  TestServer server;
  server.start();
  TestClient waiting(server.port());
  waiting.send(post("/api/v1/execute", job("wait")));
  ASSERT_TRUE(eventually([&] { return server.service.started == 1; }));
  TestClient idle(server.port());
  idle.send(get("/health"));
  EXPECT_EQ(idle.receive().status, 200);
  server.stop();
  EXPECT_TRUE(idle.closed());
  EXPECT_TRUE(waiting.silent()) << "who waits is not cut off";
  server.on_loop([&] { server.service.cancel_waiting(run::CancelReason::kShuttingDown); });
  const TestResponse response = waiting.receive();
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find(R"("status":"cancelled")"), std::string::npos);
  EXPECT_EQ(response.headers.at("connection"), "close");
  EXPECT_TRUE(waiting.closed());
}

TEST(ServerEnd, RefusesJobsThatCameWhileItEnds) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  const std::string request = post("/api/v1/execute", job("x"));
  client.send(request.substr(0, 10));
  TestClient probe(server.port());
  probe.send(get("/health"));
  EXPECT_EQ(probe.receive().status, 200);
  server.stop();
  client.try_send(request.substr(10));
  // It was reading when the end began, so it is answered; or it was not yet, and is closed. Never left hanging.
  const TestResponse response = client.receive();
  EXPECT_TRUE(response.status == 503 || response.status == 0) << response.status;
  EXPECT_EQ(server.service.started, 0);
}

TEST(ServerEnd, DrainingCutsOffWhoDoesNotRead) {
  Options options;
  TestServer server(options);
  server.start();
  TestClient slow(server.port());
  slow.send("POST /api/v1/execute HTTP/1.1\r\nHost: local");
  TestClient probe(server.port());
  probe.send(get("/health"));
  EXPECT_EQ(probe.receive().status, 200);
  server.drain(milliseconds{10});
  EXPECT_TRUE(slow.closed());
}

TEST(ServerStart, SaysThatAnAddressIsTaken) {
  boost::asio::io_context context;
  const auto first = httpd::open_listener(context, "127.0.0.1", 0);
  ASSERT_TRUE(first.has_value());
  const auto second = httpd::open_listener(context, "127.0.0.1", first->local_endpoint().port());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().errno_value, EADDRINUSE);
}

}  // namespace
}  // namespace outrigger::api
