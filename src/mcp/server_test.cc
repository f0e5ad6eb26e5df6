#include "mcp/server.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <vector>

#include "wire/outcome_json.h"

namespace outrigger::mcp {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;

// Remembers what it was asked, and answers what it was told to.
class FakeBackend final : public Backend {
 public:
  asio::awaitable<Answer> execute(std::string body) override {
    asked.push_back(std::move(body));
    co_return next;
  }
  asio::awaitable<Answer> languages() override { co_return next; }
  asio::awaitable<Answer> find_run(std::string job_id) override {
    asked.push_back(std::move(job_id));
    co_return next;
  }
  std::vector<std::string> asked;
  Answer next;
};

class McpServer : public testing::Test {
 protected:
  // The answer, parsed; null where there is none.
  json::value tell(const std::string& text) {
    asio::io_context context;
    std::optional<std::string> out;
    asio::co_spawn(context, server.answer(text, session), [&out](const std::exception_ptr& error, auto answer) {
      ASSERT_FALSE(error);
      out = std::move(answer);
    });
    context.run();
    if (!out) return nullptr;
    EXPECT_EQ(out->find('\n'), std::string::npos) << "stdio carries a message a line";
    return json::parse(*out);
  }
  json::value call(const std::string& tool, const std::string& arguments) {
    return tell(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" +
                arguments + "}}");
  }
  std::string error_of(const std::string& text) {
    const json::value answer = tell(text);
    return json::serialize(answer.at("id")) + " " + json::serialize(answer.at("error").at("code"));
  }

  FakeBackend backend;
  Session session;
  Server server{backend, "acme", "1.2.3"};
};

TEST_F(McpServer, SpeaksTheRevisionItIsAskedForOrItsLatest) {
  for (const std::string_view revision : kRevisions) {
    const json::value answer = tell(R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":")" +
                                    std::string(revision) + R"(","capabilities":{},"clientInfo":{}}})");
    EXPECT_EQ(answer.at("result").at("protocolVersion").as_string(), revision);
    EXPECT_EQ(session.revision, revision);
    EXPECT_EQ(answer.at("id").as_string(), "a");
  }
  const json::value answer =
      tell(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}})");
  EXPECT_EQ(answer.at("result").at("protocolVersion").as_string(), kLatest);
  EXPECT_EQ(answer.at("result").at("serverInfo").at("version").as_string(), "1.2.3");
  EXPECT_TRUE(answer.at("result").at("capabilities").as_object().contains("tools"));
}

TEST_F(McpServer, TellsWhatIsWrongWithAMessage) {
  EXPECT_EQ(error_of("{"), "null -32700");
  EXPECT_EQ(error_of("5"), "null -32600");
  EXPECT_EQ(error_of(R"({"id":7,"method":"ping"})"), "7 -32600");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), "null -32600");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":1e400,"method":"ping"})"), "null -32600");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":7})"), "7 -32600");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":7,"method":"ping","params":[]})"), "7 -32600");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":7,"method":"resources/list"})"), "7 -32601");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":7,"method":"initialize"})"), "7 -32602");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}})"), "7 -32602");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"rm"}})"), "7 -32602");
  EXPECT_EQ(error_of(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run_code","arguments":[]}})"),
            "7 -32602");
}

TEST_F(McpServer, AnswersNoNotificationAndNoResponse) {
  EXPECT_TRUE(tell(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").is_null());
  EXPECT_TRUE(tell(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"run_code"}})").is_null());
  EXPECT_TRUE(tell(R"({"jsonrpc":"2.0","id":1,"result":{}})").is_null());
  EXPECT_TRUE(backend.asked.empty());
}

TEST_F(McpServer, TakesBatchesInTheOneRevisionThatHasThem) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},5,)"
      R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}])";
  EXPECT_EQ(error_of(batch), "null -32600");
  session.revision = "2025-03-26";
  EXPECT_EQ(json::serialize(tell(batch)),
            R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"
            R"("message":"a message must be a JSON object"}},{"jsonrpc":"2.0","id":2,"error":{"code":-32600,)"
            R"("message":"initialize can't be part of a batch"}}])");
  EXPECT_EQ(error_of("[]"), "null -32600");
  EXPECT_TRUE(tell(R"([{"jsonrpc":"2.0","method":"notifications/x"}])").is_null());
}

TEST_F(McpServer, ListsToolsWithTheirSchemas) {
  const json::value answer = tell(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  std::string names;
  for (const json::value& tool : answer.at("result").at("tools").as_array()) {
    names += std::string(tool.at("name").as_string()) + " ";
    EXPECT_EQ(tool.at("inputSchema").at("type").as_string(), "object");
    EXPECT_EQ(tool.at("outputSchema").at("type").as_string(), "object");
  }
  EXPECT_EQ(names, "run_code list_languages get_run ");
}

TEST_F(McpServer, RunsCodeOnTheTenantsBehalf) {
  model::Outcome outcome;
  outcome.job_id = "j1";
  outcome.language = "python";
  outcome.status = model::Status::kCompleted;
  outcome.exit_code = 0;
  outcome.cause = {"exited", "exited with status 0"};
  outcome.stdout_stream = {"hi\n", 3, false};
  backend.next = {true, wire::outcome_to_json(outcome, model::OutputEncoding::kUtf8)};
  const json::value answer = call("run_code", R"({"language":"python","code":"print 7","stdin":null,"args":["a"],)"
                                              R"("files":[{"path":"x","content":"y"}],"timeout_ms":1000})");
  EXPECT_EQ(backend.asked.at(0), R"({"tenant_id":"acme","language":"python","code":"print 7","args":["a"],)"
                                 R"("files":[{"path":"x","content":"y"}],"limits":{"wall_time_ms":1000}})");
  const json::value& result = answer.at("result");
  EXPECT_FALSE(result.at("isError").as_bool());
  EXPECT_EQ(result.at("content").at(0).at("text").as_string(),
            "The program ended well: exited with status 0.\n\nstdout:\nhi\n");
  EXPECT_EQ(result.at("structuredContent").at("stdout").as_string(), "hi\n");
}

TEST_F(McpServer, WhatTheDaemonRefusesIsForTheModelToMend) {
  backend.next = {false, R"({"error":{"code":"invalid_request","message":)"
                         R"("limits.wall_time_ms must be an integer from 1 to 5000","field":"limits.wall_time_ms"}})"};
  const json::value answer = call("run_code", R"({"language":"python","code":"x","timeout_ms":1e9})");
  EXPECT_TRUE(answer.at("result").at("isError").as_bool());
  EXPECT_EQ(answer.at("result").at("content").at(0).at("text").as_string(),
            "timeout_ms must be an integer from 1 to 5000");
  EXPECT_FALSE(answer.at("result").as_object().contains("structuredContent"));
}

TEST_F(McpServer, ArgumentsNobodyKnowsAreRefusedBeforeTheDaemonIsAsked) {
  for (const auto& [tool, arguments] :
       {std::pair("run_code", R"({"language":"python","code":"x","tenant_id":"other"})"),
        std::pair("list_languages", R"({"all":true})"), std::pair("get_run", R"({"job_id":"a","x":1})"),
        std::pair("get_run", "{}")}) {
    const json::value answer = call(tool, arguments);
    EXPECT_TRUE(answer.at("result").at("isError").as_bool()) << tool << arguments;
  }
  EXPECT_TRUE(backend.asked.empty());
}

TEST_F(McpServer, AnAnswerThatCantBeReadIsTold) {
  backend.next = {true, "<html>"};
  for (const auto& [tool, arguments] : {std::pair("run_code", R"({"language":"python","code":"x"})"),
                                        std::pair("list_languages", "{}"), std::pair("get_run", R"({"job_id":"a"})")}) {
    const json::value answer = call(tool, arguments);
    EXPECT_TRUE(answer.at("result").at("isError").as_bool()) << tool;
  }
  EXPECT_EQ(backend.asked.at(1), "a");
}

}  // namespace
}  // namespace outrigger::mcp
