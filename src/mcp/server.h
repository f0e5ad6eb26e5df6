#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/backend.h"
#include "mcp/json_rpc.h"
#include "mcp/version.h"

namespace outrigger::mcp {

// What has been agreed with one client. Single-threaded.
struct Session {
  std::string_view revision = kLatest;  // one of kRevisions
};

// A Model Context Protocol server of three tools: run_code, list_languages, get_run. What a program does wrong is a
// tool's result (isError), and so is an argument that the daemon refuses: a model can mend both. What a client does
// wrong is an error of JSON-RPC. Keeps nothing between two messages but what is in a Session.
class Server {
 public:
  // `backend` outlives it. `tenant`: on whose behalf the programs run. `version`: of this product.
  Server(Backend& backend, std::string tenant, std::string version)
      : backend_(backend), tenant_(std::move(tenant)), version_(std::move(version)) {}

  // One message, or a batch where the session's revision has those: the answer on one line, nothing where none is due.
  boost::asio::awaitable<std::optional<std::string>> answer(std::string text, Session& session);

 private:
  boost::asio::awaitable<std::optional<std::string>> answer_one(boost::json::value value, Session& session,
                                                                bool in_batch);
  boost::asio::awaitable<std::string> answer_request(Message message, Session& session, bool in_batch);
  boost::asio::awaitable<std::string> call_tool(Message message);
  boost::asio::awaitable<std::string> run_code(boost::json::object arguments);
  boost::asio::awaitable<std::string> list_languages(boost::json::object arguments);
  boost::asio::awaitable<std::string> get_run(boost::json::object arguments);
  [[nodiscard]] std::string initialize(const Message& message, Session& session) const;

  Backend& backend_;
  std::string tenant_;
  std::string version_;
};

}  // namespace outrigger::mcp
