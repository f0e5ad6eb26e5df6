#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "api/message.h"
#include "api/options.h"
#include "api/routes.h"
#include "metrics/exposition.h"
#include "pool/pool.h"
#include "run/cancellation.h"
#include "wire/execute_request.h"

namespace outrigger::api {

// What the endpoints answer. Knows nothing of connections.
class Handlers {
 public:
  Handlers(pool::ExecutionService& service, const Options& options);

  // Runs one job. When `cancellation` strikes because the client left, nobody reads the answer.
  boost::asio::awaitable<Response> execute(std::string body, run::Cancellation& cancellation);

  // GET /metrics; `http` is what the connections have counted.
  [[nodiscard]] Response show_metrics(const metrics::HttpState& http) const;

  // All other endpoints; they wait for nothing.
  Response answer(Endpoint endpoint, const std::string& body);

  // From now on jobs are refused and /health says unready.
  void begin_shutdown() { shutting_down_ = true; }

 private:
  Response write_dispatch(const std::string& body);
  [[nodiscard]] Response read_dispatch() const;

  pool::ExecutionService& service_;
  const Options& options_;
  wire::RequestRules rules_;
  bool shutting_down_ = false;
};

}  // namespace outrigger::api
