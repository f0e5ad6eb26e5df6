#include "api/gate.h"

#include <gtest/gtest.h>

#include "api/error_response.h"
#include "digest/digest.h"
#include "httpd/header_values.h"

namespace outrigger::api {
namespace {

RequestHead head(std::string method, std::string target, std::vector<Header> headers = {{"Host", "localhost:8080"}}) {
  RequestHead out;
  out.method = std::move(method);
  out.target = std::move(target);
  out.headers = std::move(headers);
  return out;
}

RequestHead json_post(std::vector<Header> more = {}) {
  RequestHead out = head("POST", "/api/v1/execute", {{"Host", "localhost"}, {"Content-Type", "application/json"}});
  for (Header& each : more) out.headers.push_back(std::move(each));
  return out;
}

int status_of(const Options& options, const RequestHead& request) {
  const auto checked = Gate(options).check(request);
  return checked ? 200 : checked.error().status;
}

std::optional<Endpoint> endpoint_of(const Options& options, const RequestHead& request) {
  const auto checked = Gate(options).check(request);
  return checked ? std::optional(checked->endpoint) : std::nullopt;
}

TEST(Gate, TakesAParameterFromThePath) {
  const Options options;
  const auto run = Gate(options).check(head("GET", "/api/v1/runs/abc-1?x=1"));
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->endpoint, Endpoint::kReadRun);
  EXPECT_EQ(run->parameter, "abc-1");
  EXPECT_EQ(endpoint_of(options, head("DELETE", "/api/v1/runs/abc")), Endpoint::kCancelRun);
  EXPECT_EQ(endpoint_of(options, head("GET", "/api/v1/runs")), Endpoint::kListRuns);
  EXPECT_EQ(status_of(options, head("GET", "/api/v1/runs/")), 404);
  EXPECT_EQ(status_of(options, head("GET", "/api/v1/runs/a/b")), 404);
  EXPECT_EQ(status_of(options, head("POST", "/api/v1/runs/a")), 405);
  EXPECT_EQ(pattern_of("/api/v1/jobs/abc"), "/api/v1/jobs/{job_id}");
}

TEST(Gate, SendsEachRouteToItsEndpoint) {
  const Options options;
  EXPECT_EQ(endpoint_of(options, json_post()), Endpoint::kExecute);
  EXPECT_EQ(endpoint_of(options, head("GET", "/health")), Endpoint::kHealth);
  EXPECT_EQ(endpoint_of(options, head("HEAD", "/health?x=1")), Endpoint::kHealth);
  EXPECT_EQ(endpoint_of(options, head("GET", "/metrics")), Endpoint::kMetrics);
  EXPECT_EQ(status_of(options, head("POST", "/metrics", {{"Host", "localhost"}})), 405);
  EXPECT_EQ(endpoint_of(options, head("GET", "http://localhost/api/v1/dispatch")), Endpoint::kReadDispatch);
  EXPECT_EQ(endpoint_of(options, head("GET", "http://localhost:8080/health?x=/y")), Endpoint::kHealth);
  EXPECT_EQ(status_of(options, head("GET", "http://localhost")), 404);
  EXPECT_EQ(status_of(options, head("GET", "http://localhost?/health")), 404);
  EXPECT_EQ(status_of(options, head("GET", "/")), 404);
  EXPECT_EQ(status_of(options, head("GET", "/health/")), 404);
  EXPECT_EQ(status_of(options, head("GET", "/%68ealth")), 404);
  EXPECT_EQ(status_of(options, head("GET", "*")), 404);
  EXPECT_EQ(status_of(options, head("DELETE", "/health")), 405);
}

TEST(Gate, SaysWhatIsAllowedInstead) {
  const Options options;
  const auto refused = Gate(options).check(head("POST", "/api/v1/dispatch"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().headers, (std::vector<Header>{{"Allow", "GET, HEAD, PUT"}}));
}

TEST(Gate, WantsJson) {
  const Options options;
  EXPECT_EQ(status_of(options, head("POST", "/api/v1/execute")), 415);
  EXPECT_EQ(
      status_of(options, head("POST", "/api/v1/execute", {{"Host", "localhost"}, {"Content-Type", "text/plain"}})),
      415);
  EXPECT_EQ(status_of(options, head("PUT", "/api/v1/dispatch")), 415);
  EXPECT_EQ(status_of(options, json_post({{"Content-Type", "application/json"}})), 415) << "given twice";
  EXPECT_EQ(status_of(options, json_post({{"Content-Encoding", "gzip"}})), 415);
}

TEST(Gate, RefusesWhatItCannotDo) {
  const Options options;
  EXPECT_EQ(status_of(options, json_post({{"Idempotency-Key", "k"}})), 200);
  EXPECT_EQ(status_of(options, json_post({{"Idempotency-Key", ""}})), 400);
  EXPECT_EQ(status_of(options, json_post({{"Idempotency-Key", "a b"}})), 400);
  EXPECT_EQ(status_of(options, json_post({{"Idempotency-Key", std::string(256, 'k')}})), 400);
  EXPECT_EQ(status_of(options, json_post({{"Idempotency-Key", "a"}, {"idempotency-key", "a"}})), 400);
  EXPECT_EQ(status_of(options, json_post({{"Accept", "*/*"}})), 200);
  EXPECT_EQ(status_of(options, json_post({{"Expect", "200-ok"}})), 417);
  EXPECT_EQ(status_of(options, json_post({{"Expect", "100-Continue"}})), 200);
  EXPECT_EQ(status_of(options, json_post({{"Transfer-Encoding", "gzip, chunked"}})), 400);
}

TEST(Gate, RefusesTooMuchByItsAnnouncement) {
  const Options options;
  RequestHead request = json_post();
  request.content_length = options.http.max_body;
  EXPECT_EQ(status_of(options, request), 200);
  request.content_length = options.http.max_body + 1;
  EXPECT_EQ(status_of(options, request), 413);
}

TEST(Gate, WantsExactlyOneHost) {
  const Options options;
  EXPECT_EQ(status_of(options, head("GET", "/health", {})), 400);
  EXPECT_EQ(status_of(options, head("GET", "/health", {{"Host", "localhost"}, {"Host", "localhost"}})), 400);
  RequestHead old = head("GET", "/health", {});
  old.version = 10;
  EXPECT_EQ(status_of(options, old), 200);
}

TEST(Gate, WithoutTokensAnswersOnlyToTheLoopbacksNames) {
  const Options options;
  EXPECT_EQ(status_of(options, head("GET", "/health", {{"Host", "evil.example:8080"}})), 403);
  EXPECT_EQ(status_of(options, head("GET", "http://evil.example/health")), 403) << "it counts more than Host";
  EXPECT_EQ(status_of(options, json_post({{"Origin", "http://evil.example"}})), 403);
  EXPECT_EQ(status_of(options, json_post({{"Origin", "null"}})), 403);
  EXPECT_EQ(status_of(options, json_post({{"Origin", "http://localhost:3000"}})), 200);
}

class GuardedGate : public ::testing::Test {
 protected:
  GuardedGate() {
    tenants::TokenList list;
    list.tokens.push_back({"t1", "acme", digest::sha256_hex("acmes"), {}, {}, {}, {}});
    guard_.replace(std::move(list));
  }
  [[nodiscard]] std::expected<Match, Response> check(const RequestHead& request) const {
    return Gate(options_, &guard_).check(request);
  }
  [[nodiscard]] int status_of(const RequestHead& request) const {
    const auto checked = check(request);
    return checked ? 200 : checked.error().status;
  }
  static RequestHead with(const std::string& value) {
    return head("GET", "/api/v1/languages", {{"Host", "any.example"}, {"Authorization", value}});
  }

  Options options_;
  tenants::Guard guard_{std::vector<std::string>{"first", "second"}};
};

TEST_F(GuardedGate, WantsATokenForAllButTheOpenPaths) {
  EXPECT_EQ(status_of(with("Bearer first")), 200);
  EXPECT_EQ(status_of(with("bearer second")), 200);
  EXPECT_EQ(status_of(with("Bearer acmes")), 200);
  for (const char* bad : {"Bearer", "Bearer ", "Bearer firs", "Bearer firstt", "Bearer FIRST", "Basic first", "first",
                          "Bearer first second"}) {
    EXPECT_EQ(status_of(with(bad)), 401) << bad;
  }
  EXPECT_EQ(status_of(head("GET", "/nowhere")), 401) << "what there is, is nobody's business";
  for (const char* open : {"/health", "/openapi.json", "/metrics"}) {
    EXPECT_EQ(status_of(head("GET", open, {{"Host", "any.example"}})), 200) << open;
  }
  RequestHead twice = with("Bearer first");
  twice.headers.emplace_back("Authorization", "Bearer first");
  EXPECT_EQ(status_of(twice), 401);
  const auto refused = check(head("GET", "/api/v1/languages"));
  EXPECT_EQ(refused.error().headers, (std::vector<Header>{{"WWW-Authenticate", "Bearer realm=\"outrigger\""}}));
}

TEST_F(GuardedGate, TellsWhoAsks) {
  EXPECT_TRUE(check(with("Bearer first"))->caller.is_operator);
  const tenants::Caller acme = check(with("Bearer acmes"))->caller;
  EXPECT_EQ(acme.tenant, "acme");
  EXPECT_EQ(acme.token_id, "t1");
  EXPECT_FALSE(acme.is_operator);
  EXPECT_FALSE(check(head("GET", "/health"))->caller.is_operator) << "a stranger at an open path";
  EXPECT_TRUE(Gate(options_).check(head("GET", "/health"))->caller.is_operator) << "where no token is asked for";
}

TEST_F(GuardedGate, LeavesDispatchToOperators) {
  const auto put = [](const std::string& token) {
    return head("PUT", "/api/v1/dispatch",
                {{"Host", "x"}, {"Content-Type", "application/json"}, {"Authorization", "Bearer " + token}});
  };
  EXPECT_EQ(status_of(put("first")), 200);
  EXPECT_EQ(status_of(put("acmes")), 403);
  EXPECT_EQ(status_of(head("GET", "/api/v1/dispatch", {{"Host", "x"}, {"Authorization", "Bearer acmes"}})), 200);
}

TEST(Gate, KnowsTheRoutesOfOtherApis) {
  const Options options;
  const auto foreign = [&options](const std::string& method, const std::string& path) {
    RequestHead request = head(method, path);
    if (method == "POST") request.headers.emplace_back("Content-Type", "application/json");
    const auto checked = Gate(options).check(request);
    return checked ? checked->foreign : Foreign::kNone;
  };
  EXPECT_EQ(foreign("POST", "/api/v2/execute"), Foreign::kPistonExecute);
  EXPECT_EQ(foreign("GET", "/api/v2/piston/runtimes"), Foreign::kPistonRuntimes);
  EXPECT_EQ(foreign("POST", "/submissions?wait=true"), Foreign::kJudge0Create);
  EXPECT_EQ(foreign("GET", "/submissions/batch?tokens=a"), Foreign::kJudge0ReadBatch);
  EXPECT_EQ(foreign("HEAD", "/submissions/a"), Foreign::kJudge0Read);
  EXPECT_EQ(foreign("GET", "/languages/all"), Foreign::kJudge0AllLanguages);
  EXPECT_EQ(foreign("GET", "/languages/71"), Foreign::kJudge0Language);
  EXPECT_EQ(foreign("POST", "/mcp"), Foreign::kMcp);
  EXPECT_EQ(foreign("GET", "/health"), Foreign::kNone);
  EXPECT_EQ(pattern_of("/submissions/a"), "/submissions/{token}");
  EXPECT_EQ(status_of(options, head("GET", "/mcp")), 405);
}

TEST(Gate, TakesTextForJsonFromPistonsClientsAlone) {
  const Options options;
  const auto status = [&options](const std::string& path, const std::string& type, const std::string& origin = "") {
    std::vector<Header> headers{{"Host", "localhost"}, {"Content-Type", type}};
    if (!origin.empty()) headers.emplace_back("Origin", origin);
    return status_of(options, head("POST", path, std::move(headers)));
  };
  EXPECT_EQ(status("/api/v2/execute", "text/plain;charset=UTF-8"), 200);
  EXPECT_EQ(status("/api/v2/execute", "application/x-www-form-urlencoded"), 415);
  EXPECT_EQ(status("/api/v2/execute", "text/plain", "http://evil.example"), 403);
  EXPECT_EQ(status("/submissions", "text/plain"), 415);
  EXPECT_EQ(status("/mcp", "text/plain"), 415);
  EXPECT_EQ(status("/api/v1/execute", "text/plain"), 415);
}

TEST_F(GuardedGate, TakesJudge0sTokenHeaderOnJudge0sRoutes) {
  const auto status = [this](const std::string& path, const std::string& token) {
    return status_of(head("GET", path, {{"Host", "h"}, {"X-Auth-Token", token}}));
  };
  EXPECT_EQ(status("/languages", "first"), 200);
  EXPECT_EQ(status("/languages", "acmes"), 200);
  EXPECT_EQ(status("/languages", "wrong"), 401);
  EXPECT_EQ(status("/languages", ""), 401);
  EXPECT_EQ(status("/api/v1/languages", "first"), 401);
  EXPECT_EQ(status("/api/v2/runtimes", "first"), 401);
}

TEST(Dialects, TellAnErrorEachInItsForm) {
  Response ours = error_response(Problem::kServerBusy, "busy; try again later");
  const auto body = [&ours](Dialect dialect) { return in_dialect(dialect, ours).body; };
  EXPECT_EQ(body(Dialect::kOurs), ours.body);
  EXPECT_EQ(body(Dialect::kPiston), R"({"message":"busy; try again later"})");
  EXPECT_EQ(body(Dialect::kJudge0), R"({"error":"busy; try again later"})");
  EXPECT_EQ(body(Dialect::kMcp),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"busy; try again later"}})");
  EXPECT_EQ(in_dialect(Dialect::kPiston, ours).headers, ours.headers) << "Retry-After stays";
  EXPECT_EQ(in_dialect(Dialect::kJudge0, error_response(Problem::kUnauthorized, "no token")).body, "");
  EXPECT_EQ(dialect_of("/languages/71"), Dialect::kJudge0);
  EXPECT_EQ(dialect_of("/languagesx"), Dialect::kOurs);
  EXPECT_EQ(dialect_of("/api/v2/nothing"), Dialect::kPiston);
  EXPECT_EQ(dialect_of("/api/v1/languages"), Dialect::kOurs);
}

TEST(Routes, HaveAPatternForEachPathAndOneWordForAllOthers) {
  for (const Route& route : kRoutes) EXPECT_EQ(pattern_of(route.path), route.path);
  for (const char* path : {"", "/", "/health/", "/Health", "/api/v1/execute/1", "none"}) {
    EXPECT_EQ(pattern_of(path), "none") << path;
  }
}

TEST(HeaderValues, KnowTheLoopbacksNames) {
  for (const char* local :
       {"localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8080", "127.1.2.3", "[::1]", "[::1]:8080"}) {
    EXPECT_TRUE(httpd::is_local_authority(local)) << local;
  }
  for (const char* foreign :
       {"", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.example", "evil.example",
        "[::1].evil.example", "[::2]", "localhost:80:80", "localhost:x", "10.0.0.1", "user@localhost"}) {
    EXPECT_FALSE(httpd::is_local_authority(foreign)) << foreign;
  }
}

TEST(HeaderValues, KnowJson) {
  for (const char* good : {"application/json", "Application/JSON", "application/json;charset=utf-8",
                           "application/json ; charset=\"UTF-8\"", "application/json; charset=utf8; x=y"}) {
    EXPECT_TRUE(httpd::is_json_media_type(good)) << good;
  }
  for (const char* bad : {"", "text/json", "application/jsonx", "application/json; charset=latin1",
                          "application/json, text/plain", "application/json; x=y; charset=utf-16"}) {
    EXPECT_FALSE(httpd::is_json_media_type(bad)) << bad;
  }
}

}  // namespace
}  // namespace outrigger::api
