// Clients that are too large, too slow or too many.
#include <gtest/gtest.h>

#include <list>

#include "api/test_client.h"
#include "api/test_server.h"

namespace outrigger::api {
namespace {

using std::chrono::milliseconds;

// So long that it does not end a test that works.
constexpr milliseconds kNever{3'600'000};

Options patient() {
  Options options;
  options.http.header_timeout = options.http.body_timeout = options.http.idle_timeout = kNever;
  return options;
}

TEST(ServerLimits, AHeadIsBounded) {
  TestServer server;
  server.start();
  TestClient fits(server.port());
  fits.send(get("/health", "X-Fill: " + std::string(15'000, 'x') + "\r\n"));
  EXPECT_EQ(fits.receive().status, 200);
  TestClient large(server.port());
  large.send(get("/health", "X-Fill: " + std::string(17'000, 'x') + "\r\n"));
  EXPECT_EQ(large.receive().status, 431);
  EXPECT_TRUE(large.closed());
  TestClient endless(server.port());
  endless.try_send("GET /" + std::string(100'000, 'x'));
  EXPECT_EQ(endless.receive().status, 431);
}

TEST(ServerLimits, ABodyIsBoundedByItsAnnouncement) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(
      "POST /api/v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
      "99999999999999\r\n\r\n");
  EXPECT_EQ(client.receive().status, 413);
  EXPECT_TRUE(client.closed());
}

TEST(ServerLimits, TheLastAnswerReachesAClientThatGoesOnSending) {
  Options options = patient();
  options.http.max_body = 100'000;
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", std::string(8'000'000, 'x')));
  EXPECT_EQ(client.receive().status, 413);
}

TEST(ServerLimits, AChunkedBodyIsBoundedWhileItIsRead) {
  Options options = patient();
  options.http.max_body = 100'000;
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  client.send(
      "POST /api/v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: "
      "chunked\r\n\r\n");
  for (int i = 0; i < 101; ++i) client.try_send("3e8\r\n" + std::string(1000, 'x') + "\r\n");
  EXPECT_EQ(client.receive().status, 413);
}

TEST(ServerLimits, ABodyOfExactlyTheLimitIsRead) {
  Options options = patient();
  const std::string body = job("echo", "\"stdin\":\"" + std::string(200'000, 'x') + "\"");
  options.http.max_body = body.size();
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", body));
  EXPECT_EQ(client.receive().status, 200);
}

TEST(ServerLimits, RequestsTogetherAreBoundedByWhatTheySent) {
  Options options = patient();
  options.http.max_buffered = 300'000;
  TestServer server(options);
  server.start();
  TestClient announces(server.port());
  announces.send(
      "POST /api/v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
      "10000000\r\n\r\n{");
  TestClient client(server.port());
  client.send(post("/api/v1/execute", job("echo", "\"stdin\":\"" + std::string(150'000, 'x') + "\"")));
  EXPECT_EQ(client.receive().status, 200) << "an announcement alone takes nobody's room";
  client.send(post("/api/v1/execute", job("echo", "\"stdin\":\"" + std::string(400'000, 'x') + "\"")));
  const TestResponse refused = client.receive();
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.body.find("server_busy"), std::string::npos);
  TestClient after(server.port());
  after.send(post("/api/v1/execute", job("echo", "\"stdin\":\"" + std::string(150'000, 'x') + "\"")));
  EXPECT_EQ(after.receive().status, 200) << "what was refused gave its room back";
}

TEST(ServerLimits, AHeadThatDoesNotComeIs408) {
  Options options = patient();
  options.http.header_timeout = milliseconds{50};
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  client.send("GET /health HT");
  const TestResponse response = client.receive();
  EXPECT_EQ(response.status, 408);
  EXPECT_NE(response.body.find("request_timeout"), std::string::npos);
  EXPECT_TRUE(client.closed());
}

TEST(ServerLimits, DrippingGainsNothing) {
  Options options = patient();
  options.http.header_timeout = milliseconds{100};
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  ASSERT_TRUE(client.try_send("GET /health HTTP/1.1\r\nX: "));
  // Each drip is well within the limit, all together are not.
  EXPECT_TRUE(eventually([&] { return !client.silent() || !client.try_send("x"); }));
  EXPECT_EQ(client.receive().status, 408);
}

TEST(ServerLimits, ABodyThatDoesNotComeIs408) {
  Options options = patient();
  options.http.body_timeout = milliseconds{50};
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  const std::string whole = post("/api/v1/execute", job("x"));
  client.send(whole.substr(0, whole.size() - 1));
  EXPECT_EQ(client.receive().status, 408);
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server.service.started, 0);
}

TEST(ServerLimits, AnIdleConnectionEndsWithoutAWord) {
  Options options = patient();
  options.http.idle_timeout = milliseconds{50};
  TestServer server(options);
  server.start();
  TestClient fresh(server.port());
  EXPECT_TRUE(fresh.closed());
  TestClient used(server.port());
  used.send(get("/health"));
  EXPECT_EQ(used.receive().status, 200);
  EXPECT_TRUE(used.closed());
}

TEST(ServerLimits, IdleConnectionsGiveWayToNewOnesLongestFirst) {
  Options options = patient();
  options.http.max_connections = 3;
  TestServer server(options);
  server.start();
  std::list<TestClient> idle;
  for (int i = 0; i < 3; ++i) {
    idle.emplace_back(server.port()).send(get("/health"));
    EXPECT_EQ(idle.back().receive().status, 200);
  }
  TestClient fresh(server.port());
  fresh.send(get("/health"));
  EXPECT_EQ(fresh.receive().status, 200);
  EXPECT_TRUE(idle.front().closed());
  EXPECT_TRUE(idle.back().silent());
}

TEST(ServerLimits, WhereAllAreAtWorkANewOneIsToldSo) {
  Options options = patient();
  options.http.max_connections = 2;
  TestServer server(options);
  server.start();
  std::list<TestClient> busy;
  for (int i = 0; i < 2; ++i) busy.emplace_back(server.port()).send(post("/api/v1/execute", job("wait")));
  ASSERT_TRUE(eventually([&] { return server.service.started == 2; }));
  TestClient refused(server.port());
  const TestResponse response = refused.receive();
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.headers.at("retry-after"), "1");
  EXPECT_TRUE(refused.closed());
}

TEST(ServerLimits, TwoHundredDrippingAndTwoHundredIdleDoNotDelayTheNext) {
  TestServer server(patient());
  server.start();
  std::list<TestClient> slow;
  for (int i = 0; i < 200; ++i) {
    slow.emplace_back(server.port());
    slow.emplace_back(server.port()).send("POST /api/v1/execute HTTP/1.1\r\nHo");
  }
  const auto begin = std::chrono::steady_clock::now();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", job("x")));
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{1});
}

}  // namespace
}  // namespace outrigger::api
