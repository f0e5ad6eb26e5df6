#include "api/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_client.h"
#include "api/test_server.h"
#include "wire/error_json.h"
#include "wire/outcome_json.h"

namespace outrigger::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Every answer that is not a success is the contract's error body, whatever went wrong.
void expect_error(const TestResponse& response, int status, const std::string& code, const std::string& field = "") {
  EXPECT_EQ(response.status, status) << response.body;
  ASSERT_TRUE(response.headers.contains("content-type"));
  EXPECT_EQ(response.headers.at("content-type"), "application/json");
  const auto error = wire::parse_error(response.body);
  ASSERT_TRUE(error.has_value()) << response.body;
  EXPECT_EQ(error->code, code);
  EXPECT_EQ(error->field, field);
}

TEST(Server, RunsAJobAndAnswersItsOutcome) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", R"({"tenant_id":"t","language":"py","code":"echo","stdin":"hi\n"})"));
  const TestResponse response = client.receive();
  ASSERT_EQ(response.status, 200) << response.body;
  const auto outcome = wire::parse_outcome(response.body, model::OutputEncoding::kUtf8);
  ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
  EXPECT_EQ(outcome->stdout_stream.data, "hi\n");
  EXPECT_EQ(outcome->language, "python") << "an alias is answered with the runtime's own name";
  EXPECT_EQ(response.headers.at("cache-control"), "no-store");
}

TEST(Server, KeepsTheConnectionAndAnswersInOrder) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  std::string all;
  for (int i = 0; i < 20; ++i) {
    all += post("/api/v1/execute", job("echo", "\"stdin\":\"" + std::to_string(i) + "\"")) + get("/health");
  }
  client.send(all);
  for (int i = 0; i < 20; ++i) {
    EXPECT_NE(client.receive().body.find("\"stdout\":\"" + std::to_string(i) + "\""), std::string::npos);
    EXPECT_EQ(client.receive().status, 200);
  }
  EXPECT_TRUE(client.silent());
}

TEST(Server, ReadsAChunkedBody) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  const std::string body = job("echo", R"("stdin":"x")");
  client.send(
      "POST /api/v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: "
      "chunked\r\n\r\n");
  client.send("5\r\n" + body.substr(0, 5) + "\r\n");
  client.send("1;ext=1\r\n" + body.substr(5, 1) + "\r\n");
  for (const char c : body.substr(6)) client.send(std::string("1\r\n") + c + "\r\n");
  client.send("0\r\n\r\n" + get("/health"));
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, LetsAClientThatExpectsGoOn) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  const std::string whole = post("/api/v1/execute", job("x"), "Expect: 100-continue\r\n");
  const std::size_t head = whole.find("\r\n\r\n") + 4;
  client.send(whole.substr(0, head));
  EXPECT_EQ(client.receive().status, 100);
  client.send(whole.substr(head));
  EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, RefusesBeforeTheBodyOfAClientThatExpects) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
  expect_error(client.receive(), 404, "not_found");
  EXPECT_TRUE(client.closed());
}

TEST(Server, AnswersHeadWithoutABody) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send("HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/health"));
  const TestResponse response = client.receive(true);
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.headers.at("content-length"), "0");
  EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, NamesTheFieldOfABadRequest) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", job("x", R"("limits":{"pids":0})")));
  expect_error(client.receive(), 400, "invalid_request", "limits.pids");
  client.send(post("/api/v1/execute", ""));
  expect_error(client.receive(), 400, "invalid_request");
  client.send(post("/api/v1/execute", R"({"tenant_id":"t","language":"cobol","code":"x"})"));
  expect_error(client.receive(), 400, "invalid_request", "language");
  client.send(post("/api/v1/execute", R"({"tenant_id":"t","language":"node","code":"x"})"));
  expect_error(client.receive(), 503, "runtime_unavailable", "language");
  client.send(
      post("/api/v1/execute", job("x", R"("files":[{"path":"a","content":""},{"path":"main.py","content":""}])")));
  expect_error(client.receive(), 400, "invalid_request", "files[1].path");
  EXPECT_EQ(server.service.started, 0) << "nothing runs of what is refused";
}

TEST(Server, TellsWhatThePoolRefusedByOneTable) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  const auto ask = [&client](const std::string& code) {
    client.send(post("/api/v1/execute", job(code)));
    return client.receive();
  };
  const TestResponse exhausted = ask("exhausted");
  expect_error(exhausted, 503, "pool_exhausted");
  EXPECT_EQ(exhausted.headers.at("retry-after"), "1");
  expect_error(ask("paused"), 503, "dispatch_paused");
  expect_error(ask("not_found"), 503, "runtime_unavailable", "language");
  expect_error(ask("cancelled"), 503, "shutting_down");
  expect_error(ask("system"), 503, "system_failure");
}

TEST(Server, AFaultOfItsOwnIsAnErrorBodyAndNotTheEnd) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/execute", job("throw")));
  expect_error(client.receive(), 500, "internal_error");
  client.send(get("/health"));
  EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, PausesAndResumesDispatch) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  std::string put = post("/api/v1/dispatch", R"({"paused":true,"reason":"memory"})");
  client.send(put.replace(0, 4, "PUT"));
  EXPECT_EQ(client.receive().body, R"({"paused":true,"reason":"memory"})");
  client.send(get("/api/v1/dispatch"));
  EXPECT_EQ(client.receive().body, R"({"paused":true,"reason":"memory"})");
}

TEST(Server, ShowsMetricsAsPrometheusReadsThem) {
  TestServer server;
  server.service.counters.oom_kills = 11;
  server.start();
  TestClient client(server.port());
  client.send(get("/metrics"));
  const TestResponse response = client.receive();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(response.body, HasSubstr("outrigger_build_info{version=\"test\"} 1\n"));
  EXPECT_THAT(response.body, HasSubstr("outrigger_oom_kills_total 11\n"));
  EXPECT_THAT(response.body, HasSubstr("\nprocess_open_fds "));
  EXPECT_THAT(response.body, HasSubstr("outrigger_http_connections 1\n"));
  client.send("HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/health"));
  EXPECT_EQ(client.receive(true).headers.at("content-type"), response.headers.at("content-type"));
  EXPECT_EQ(client.receive().headers.at("content-type"), "application/json");
}

TEST(Server, CountsAnswersByRouteAndNeverByPath) {
  Options options;
  options.http.max_body = 100;
  TestServer server(options);
  server.start();
  for (const std::string& request :
       {get("/health?x=1"), get("/health"), get("/nowhere/4711"), post("/health", "{}"), std::string("GARBAGE\r\n\r\n"),
        std::string("POST /api/v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    "Transfer-Encoding: chunked\r\n\r\nff\r\n") +
            std::string(255, 'x') + "\r\n0\r\n\r\n"}) {
    TestClient client(server.port());
    client.send(request);
    EXPECT_NE(client.receive().status, 0) << request;
  }
  TestClient client(server.port());
  client.send(get("/metrics"));
  const std::string text = client.receive().body;
  const std::string series = "outrigger_http_requests_total";
  EXPECT_THAT(text, HasSubstr(series + "{method=\"GET\",route=\"/health\",code=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr(series + "{method=\"POST\",route=\"/health\",code=\"405\"} 1\n"));
  EXPECT_THAT(text, HasSubstr(series + "{method=\"GET\",route=\"none\",code=\"404\"} 1\n"));
  EXPECT_THAT(text, HasSubstr(series + "{method=\"none\",route=\"none\",code=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr(series + "{method=\"POST\",route=\"/api/v1/execute\",code=\"413\"} 1\n"))
      << "the body was too much";
  EXPECT_THAT(text, Not(HasSubstr("4711")));
  EXPECT_THAT(text, Not(HasSubstr("route=\"/metrics\""))) << "this answer is still to come";
}

TEST(Server, BreaksNoHttpAndSendsNoHtml) {
  for (const char* bytes :
       {"GARBAGE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /health HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n",
        "POST /api/v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /api/v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "\x16\x03\x01\x02\r\n\r\n"}) {
    TestServer server;
    server.start();
    TestClient client(server.port());
    client.send(bytes);
    expect_error(client.receive(), 400, "invalid_request");
    EXPECT_TRUE(client.closed());
  }
}

TEST(Server, ServesAnHttp10ClientOnce) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send("GET /health HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.receive().headers.at("connection"), "close");
  EXPECT_TRUE(client.closed());
}

TEST(Server, TellsWhichResultsOfABatchWereTooMuchTogether) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/batch", R"({"jobs":[)" + job("large") + "," + job("large") + "," + job("echo") + "]}"));
  const TestResponse response = client.receive();
  ASSERT_EQ(response.status, 200);
  EXPECT_GT(response.body.size(), 40U << 20);
  EXPECT_LT(response.body.size(), 64U << 20);
  const std::string end = response.body.substr(response.body.size() - 3000);
  EXPECT_THAT(end, HasSubstr(R"({"error":{"code":"payload_too_large")"));
  EXPECT_THAT(end, HasSubstr(R"("status":"completed")")) << "a small one after it is there";
}

TEST(Server, KeepsABatchGoingWhereOneOfItHasAFaultOfOurs) {
  TestServer server;
  server.start();
  TestClient client(server.port());
  client.send(post("/api/v1/batch", R"({"jobs":[)" + job("throw") + "," + job("echo", R"("stdin":"hi")") + "]}"));
  const TestResponse response = client.receive();
  ASSERT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr(R"({"results":[{"error":{"code":"internal_error")"));
  EXPECT_THAT(response.body, HasSubstr(R"("stdout":"hi")"));
}

}  // namespace
}  // namespace outrigger::api
