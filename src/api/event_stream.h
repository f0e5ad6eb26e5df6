#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "api/output_pieces.h"
#include "base/error.h"
#include "model/job.h"
#include "model/outcome.h"
#include "run/attendance.h"

namespace outrigger::api {

// What happens to a job, as the text of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html): `started`, `stdout` and `stderr`, and at its end
// `finished` or `error`. Whoever sends it on takes what there is; what it has not taken waits here, which is at most
// what the two streams may hold, so that a slow reader never holds the program up. Single-threaded.
class EventStream final : public run::Follower {
 public:
  EventStream(const boost::asio::any_io_executor& executor, model::OutputEncoding encoding);

  void started(const std::string& job_id) override;
  void wrote(run::Stream stream, std::string_view bytes) override;
  void finished(const model::Outcome& outcome);
  // `error`: an error answer's body.
  void failed(std::string_view error);

  [[nodiscard]] bool has_started() const { return started_; }
  // The next events, as soon as there are some; a comment after `silence` without any; nothing after the last.
  boost::asio::awaitable<std::optional<std::string>> next(std::chrono::milliseconds silence);

 private:
  void add(std::string_view event, std::string_view data);
  // Makes events of the output that was not taken yet.
  void settle_output();
  void close();

  boost::asio::steady_timer wake_;
  model::OutputEncoding encoding_;
  OutputPieces output_;  // that is no event yet
  std::string ready_;    // events
  bool started_ = false;
  bool closed_ = false;
};

}  // namespace outrigger::api
