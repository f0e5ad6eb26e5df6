#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

namespace outrigger::mcp {

// What the daemon's own API says to a request: the answer's document, or where `ok` is false the error's.
struct Answer {
  bool ok = false;
  std::string body;
};

// The daemon, as far as the tools need it: in its own process, or at the other end of a connection.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  // `body`: of POST /api/v1/execute.
  virtual boost::asio::awaitable<Answer> execute(std::string body) = 0;
  virtual boost::asio::awaitable<Answer> languages() = 0;
  virtual boost::asio::awaitable<Answer> find_run(std::string job_id) = 0;
};

}  // namespace outrigger::mcp
