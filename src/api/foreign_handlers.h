#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <expected>
#include <optional>
#include <string>

#include "api/foreign_routes.h"
#include "api/handlers.h"
#include "api/message.h"
#include "api/options.h"
#include "api/services.h"
#include "api/tenant_rules.h"
#include "judge0/state.h"
#include "run/cancellation.h"
#include "tenants/caller.h"
#include "wire/execute_request.h"

namespace outrigger::api {

// A request to a route of another API.
struct ForeignRequest {
  Foreign endpoint = Foreign::kNone;
  std::string parameter;  // the path's last segment, where the route has one for it
  std::string query;
  std::string body;
  tenants::Caller caller;
  std::string tokens;    // the header field of this name, Judge0's
  std::string revision;  // the header field MCP-Protocol-Version

  // On whose behalf; these APIs have no place to name a tenant.
  [[nodiscard]] std::string tenant() const { return tenants::account_of(caller); }
};

// Answers in other APIs' terms: Piston's, Judge0's, and the Model Context Protocol's.
class ForeignHandlers {
 public:
  // Both outlive it.
  ForeignHandlers(Services services, Handlers& handlers, const Options& options);

  // When `cancellation` strikes because the client left, nobody reads the answer.
  boost::asio::awaitable<Response> answer(ForeignRequest request, run::Cancellation& cancellation);

 private:
  boost::asio::awaitable<Response> piston_execute(ForeignRequest request, run::Cancellation& cancellation);
  [[nodiscard]] Response piston_change_packages(const std::string& body) const;

  boost::asio::awaitable<Response> judge0(ForeignRequest request, run::Cancellation& cancellation);
  boost::asio::awaitable<Response> judge0_create(ForeignRequest request, run::Cancellation& cancellation);
  boost::asio::awaitable<std::expected<std::string, Response>> judge0_submit(boost::json::object attributes,
                                                                             tenants::Caller caller,
                                                                             bool base64_encoded);
  boost::asio::awaitable<std::expected<std::optional<judge0::State>, Response>> judge0_look(std::string token,
                                                                                            std::string tenant);
  boost::asio::awaitable<std::optional<judge0::State>> judge0_wait(std::string token, std::string tenant,
                                                                   run::Cancellation& cancellation);
  boost::asio::awaitable<Response> judge0_create_batch(ForeignRequest request);
  boost::asio::awaitable<Response> judge0_read(ForeignRequest request);
  boost::asio::awaitable<Response> judge0_read_batch(ForeignRequest request);
  [[nodiscard]] Response judge0_config(const std::string& tenant) const;
  [[nodiscard]] Response judge0_language(const std::string& id) const;
  [[nodiscard]] Response judge0_workers() const;

  boost::asio::awaitable<Response> mcp(ForeignRequest request, run::Cancellation& cancellation);

  Services services_;
  Handlers& handlers_;
  const Options& options_;
  const TenantRules& rules_;
};

}  // namespace outrigger::api
