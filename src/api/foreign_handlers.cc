#include "api/foreign_handlers.h"

#include "api/error_response.h"
#include "piston/runtimes.h"

namespace outrigger::api {

ForeignHandlers::ForeignHandlers(Services services, Handlers& handlers, const Options& options)
    : services_(services), handlers_(handlers), options_(options), rules_(handlers.rules()) {}

boost::asio::awaitable<Response> ForeignHandlers::answer(ForeignRequest request, run::Cancellation& cancellation) {
  Response response;
  switch (request.endpoint) {
    case Foreign::kNone: response = error_response(Problem::kInternalError, "this route has no handler"); break;
    case Foreign::kPistonRuntimes: response.body = piston::runtimes_json(services_.pool.runtimes()); break;
    case Foreign::kPistonPackages: response.body = piston::packages_json(services_.pool.runtimes()); break;
    case Foreign::kPistonChangePackages: response = piston_change_packages(request.body); break;
    case Foreign::kPistonExecute: response = co_await piston_execute(std::move(request), cancellation); break;
    case Foreign::kMcp: response = co_await mcp(std::move(request), cancellation); break;
    default: response = co_await judge0(std::move(request), cancellation);
  }
  co_return response;
}

}  // namespace outrigger::api
