// What a WebSocket's two ends owe each other in time, over a connection, with the service of this room's tests behind
// it.
#include <gtest/gtest.h>

#include "api/test_client.h"
#include "api/test_server.h"

namespace outrigger::api {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kPing("\x89\x00", 2);
constexpr std::string_view kMaskedPong("\x8a\x80\0\0\0\0", 6);

// A final text frame with a mask of zeroes (RFC 6455, 5.2).
std::string frame(const std::string& text) {
  std::string out = "\x81";
  if (text.size() < 126) {
    out += static_cast<char>(0x80U | text.size());
  } else {
    out += static_cast<char>(0x80U | 126U);
    out += static_cast<char>(text.size() >> 8U);
    out += static_cast<char>(text.size() & 0xffU);
  }
  return out + std::string(4, '\0') + text;
}

std::string start(std::string_view code) { return frame(R"({"type":"start","request":)" + job(code) + "}"); }

void shake_hands(TestClient& client) {
  client.send(get("/api/v1/interactive",
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                  "Sec-WebSocket-Version: 13\r\n"));
  const TestResponse answer = client.receive();
  ASSERT_EQ(answer.status, 101);
  EXPECT_EQ(answer.headers.at("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(LiveJob, TellsAndClosesInTheEnd) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  shake_hands(client);
  client.send(frame(R"({"type":"start","request":)" + job("echo", R"("stdin":"hi\n")") + "}"));
  EXPECT_TRUE(client.receives(R"({"type":"started","job_id":"job"})"));
  EXPECT_TRUE(client.receives(R"({"type":"stdout","data":"hi\n"})"));
  EXPECT_TRUE(client.receives(R"({"type":"finished","result":{"job_id":"job")"));
  EXPECT_TRUE(client.receives("\x88\x02\x03\xe8")) << "1000";
}

TEST(LiveJob, PingsAClientThatIsSilent) {
  Options options;
  options.http.ping_after = milliseconds{50};
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  shake_hands(client);
  client.send(start("wait"));
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(client.receives(kPing));
    client.send(kMaskedPong);
  }
  EXPECT_EQ(server.service.left, 0);
}

// The client neither sends nor takes anything more, and that ends its program.
void expect_end_of_silent_client(const Options& options, std::string_view code) {
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  shake_hands(client);
  client.send(start(code));
  EXPECT_TRUE(eventually([&server] { return server.service.left == 1; }));
}

TEST(LiveJob, EndsWithAClientThatDoesNotAnswer) {
  Options options;
  options.http.ping_after = milliseconds{50};
  expect_end_of_silent_client(options, "wait");
}

TEST(LiveJob, EndsWithAClientThatTakesNothing) {
  Options options;
  options.http.write_timeout = milliseconds{100};
  // More than the two ends' kernels hold for a client that reads nothing.
  expect_end_of_silent_client(options, "flood");
}

TEST(LiveJob, AMessageForWhichThereIsNoRoomIsToBeTriedAgain) {
  Options options;
  options.http.max_buffered = 1024;
  TestServer server(options);
  server.start();
  TestClient client(server.port());
  shake_hands(client);
  client.send(start(std::string(2000, 'x')));
  EXPECT_TRUE(client.receives("\x03\xf5too many large requests")) << "1013";
  EXPECT_EQ(server.service.started, 0);
}

TEST(LiveJob, AFaultOfOursIsTold) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  shake_hands(client);
  client.send(start("throw"));
  EXPECT_TRUE(client.receives(R"("code":"internal_error")"));
  EXPECT_TRUE(client.receives("\x88")) << "and the connection closed";
}

}  // namespace
}  // namespace outrigger::api
