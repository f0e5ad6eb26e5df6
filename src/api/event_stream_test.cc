// Streams as their readers get them: over a connection, with the service of this room's tests behind it.
#include "api/event_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_client.h"
#include "api/test_server.h"

namespace outrigger::api {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kAccept = "Accept: text/event-stream\r\n";

TEST(EventStream, BeginsWithStartedAndEndsWithTheResultWithoutOutputs) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", job("echo", R"("stdin":"hi\n")"), kAccept));
  const TestResponse response = client.receive();
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.headers.at("content-type"), "text/event-stream");
  EXPECT_THAT(response.body, StartsWith("event: started\ndata: {\"job_id\":\"job\"}\n\n"));
  EXPECT_THAT(response.body, HasSubstr("event: stdout\ndata: {\"data\":\"hi\\n\"}\n\n"));
  EXPECT_THAT(response.body, HasSubstr("event: finished\ndata: {\"job_id\":\"job\""));
  EXPECT_THAT(response.body, EndsWith("\n\n"));
  EXPECT_EQ(response.body.find("\"stdout\":"), std::string::npos);
  client.send(get("/health"));
  EXPECT_EQ(client.receive().status, 200) << "the connection serves on";
}

TEST(EventStream, IsAnOrdinaryAnswerWhereTheJobIsRefused) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", job("exhausted"), kAccept));
  const TestResponse busy = client.receive();
  EXPECT_EQ(busy.status, 503) << busy.body;
  EXPECT_EQ(busy.headers.at("content-type"), "application/json");
  client.send(post("/api/v1/execute", R"({"code":""})", kAccept));
  EXPECT_EQ(client.receive().status, 400);
  client.send(post("/api/v1/execute", job("throw"), kAccept));
  EXPECT_EQ(client.receive().status, 500);
  client.send(post("/api/v1/execute", job("echo"), std::string(kAccept) + "Idempotency-Key: k\r\n"));
  EXPECT_EQ(client.receive().status, 400);
}

TEST(EventStream, SaysInSilenceThatItIsThere) {
  Options options;
  options.stream_comment = std::chrono::milliseconds{5};
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", job("wait"), kAccept));
  EXPECT_TRUE(client.receives("\n: ")) << "a comment came";
  server.on_loop([&server] { server.service.cancel_waiting(run::CancelReason::kRequested); });
  EXPECT_TRUE(client.receives("\"status\":\"cancelled\""));
}

TEST(EventStream, EndsTheJobOfAClientThatLeaves) {
  TestServer server;
  server.start();
  {
    TestClient client(server.port());
    client.send(post("/api/v1/execute", job("wait"), kAccept));
    EXPECT_TRUE(client.receives("event: started"));
  }
  EXPECT_TRUE(eventually([&server] { return server.service.left == 1; }));
}

TEST(EventStream, IsWantedByWhoPrefersIt) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  const auto type_for = [&client](const std::string& accept) {
    client.send(post("/api/v1/execute", job("echo"), "Accept: " + accept + "\r\n"));
    return client.receive().headers.at("content-type");
  };
  EXPECT_EQ(type_for("application/json"), "application/json");
  EXPECT_EQ(type_for("*/*"), "application/json");
  EXPECT_EQ(type_for("application/json, text/event-stream"), "application/json");
  EXPECT_EQ(type_for("application/json;q=0.5, text/event-stream"), "text/event-stream");
  EXPECT_EQ(type_for("text/event-stream, application/json"), "text/event-stream");
  EXPECT_EQ(type_for("text/event-stream;q=0"), "application/json");
  EXPECT_EQ(type_for("text/event-stream;q=x"), "application/json");
}

}  // namespace
}  // namespace outrigger::api
