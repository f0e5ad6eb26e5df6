#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store_postgres/answer.h"

namespace outrigger::store::postgres {

using Deadline = std::chrono::steady_clock::time_point;

// What takes the place of $1, $2, …: a text, or bytes.
struct Parameter {
  std::string value;
  bool is_binary = false;
};

// One connection that never waits beyond a deadline: everything goes through poll(2), since a server may be stopped, or
// a network silent, with the connection intact. What fails or is late costs the connection; the next open() makes a new
// one.
class Connection {
 public:
  // `patience` is how long the server works on one statement before it gives up by itself.
  Connection(std::string url, std::chrono::milliseconds patience);

  // False too where the server has hung up since the last call.
  [[nodiscard]] bool is_open();
  base::Status open(std::string_view step, Deadline deadline);
  void close() { handle_.reset(); }

  // One statement, its parameters apart from it.
  base::Result<Answer> query(std::string_view step, const std::string& sql, std::span<const Parameter> parameters,
                             Deadline deadline);
  // Any number of statements, without parameters.
  base::Status script(std::string_view step, const std::string& sql, Deadline deadline);

 private:
  struct Finish {
    void operator()(PGconn* handle) const noexcept { ::PQfinish(handle); }
  };

  base::Status start(std::string_view step);
  base::Status shake_hands(std::string_view step, Deadline deadline);
  base::Status flush(std::string_view step, Deadline deadline);
  base::Result<Answer> collect(std::string_view step, Deadline deadline);
  base::Status wait(std::string_view step, short events, Deadline deadline);
  [[nodiscard]] std::unexpected<base::Error> lost(std::string_view step);

  std::string url_;
  std::chrono::milliseconds patience_;
  std::vector<std::string> secrets_;
  std::unique_ptr<PGconn, Finish> handle_;
};

}  // namespace outrigger::store::postgres
