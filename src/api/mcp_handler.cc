#include "api/error_response.h"
#include "api/foreign_handlers.h"
#include "mcp/server.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

mcp::Answer as_answer(Response response) {
  return {response.status >= 200 && response.status <= 299, std::move(response.body)};
}

// The daemon's own handlers, in the same process.
class OwnBackend final : public mcp::Backend {
 public:
  OwnBackend(Handlers& handlers, tenants::Caller caller, run::Cancellation& cancellation)
      : handlers_(handlers), caller_(std::move(caller)), cancellation_(cancellation) {}

  asio::awaitable<mcp::Answer> execute(std::string body) override {
    Response response = co_await handlers_.execute(std::move(body), {}, caller_, cancellation_);
    co_return as_answer(std::move(response));
  }
  asio::awaitable<mcp::Answer> languages() override {
    co_return as_answer(handlers_.answer(Endpoint::kLanguages, {}, caller_));
  }
  asio::awaitable<mcp::Answer> find_run(std::string job_id) override {
    Response response = co_await handlers_.read_run(std::move(job_id), caller_);
    co_return as_answer(std::move(response));
  }

 private:
  Handlers& handlers_;
  tenants::Caller caller_;
  run::Cancellation& cancellation_;
};

}  // namespace

// Streamable HTTP (modelcontextprotocol.io, "Transports"): a message a request, and no session.
asio::awaitable<Response> ForeignHandlers::mcp(ForeignRequest request, run::Cancellation& cancellation) {
  mcp::Session session{mcp::kAssumed};
  if (!request.revision.empty()) {
    const auto known = mcp::known_revision(request.revision);
    if (!known) {
      co_return in_dialect(Dialect::kMcp,
                           error_response(Problem::kInvalidRequest,
                                          "MCP-Protocol-Version names no revision that is known here; the latest is " +
                                              std::string(mcp::kLatest)));
    }
    session.revision = *known;
  }
  OwnBackend backend(handlers_, request.caller, cancellation);
  mcp::Server server(backend, request.tenant(), options_.version);
  auto answer = co_await server.answer(std::move(request.body), session);
  Response response;
  response.status = answer ? 200 : 202;
  response.body = std::move(answer).value_or("");
  if (mcp::is_of_no_request(response.body)) response.status = 400;
  co_return response;
}

}  // namespace outrigger::api
