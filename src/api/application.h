#pragma once

#include <expected>
#include <functional>
#include <string>

#include "api/foreign_handlers.h"
#include "api/gate.h"
#include "api/handlers.h"
#include "api/options.h"
#include "api/refusal_log.h"
#include "api/services.h"
#include "httpd/application.h"
#include "httpd/exchange.h"
#include "metrics/exposition.h"

namespace outrigger::api {

// The API as the HTTP server sees it: the gate before each request, the handler behind it, and what was counted.
class Application final : public httpd::Application {
 public:
  // What `services` holds outlives it.
  Application(const Services& services, Options options);

  std::expected<httpd::Admission, Response> admit(const RequestHead& head) override;
  Response refuse(const RequestHead& head, httpd::Fault fault, const std::string& message) override;
  void answered(const RequestHead& head, int status) override;

  void begin_shutdown() { handlers_.begin_shutdown(); }
  // Tells how many connections are open; asked when metrics are.
  void count_connections_by(std::function<std::size_t()> count) { connections_ = std::move(count); }

 private:
  boost::asio::awaitable<void> serve(Match match, httpd::Exchange& exchange);
  boost::asio::awaitable<void> serve_live(Match match, httpd::Exchange& exchange);
  boost::asio::awaitable<Response> respond(Match match, httpd::Exchange& exchange);
  boost::asio::awaitable<Response> execute(httpd::Exchange& exchange, std::string key, tenants::Caller caller);
  boost::asio::awaitable<Response> execute_batch(httpd::Exchange& exchange, tenants::Caller caller);
  boost::asio::awaitable<Response> answer_foreign(Match match, httpd::Exchange& exchange, tenants::Caller caller);
  Response show_metrics();

  const Services services_;
  const Options options_;
  Gate gate_;
  Handlers handlers_;
  ForeignHandlers foreign_;
  metrics::HttpState http_;
  RefusalLog refusals_;
  std::function<std::size_t()> connections_;
};

}  // namespace outrigger::api
