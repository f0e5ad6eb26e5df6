#pragma once

#include <string>

#include "api/live_job.h"
#include "wire/live_messages.h"

namespace outrigger::api {

// GET /api/v1/interactive: the conversation of docs/interactive.md.
class Interactive final : public LiveJob {
 public:
  Interactive(const boost::asio::any_io_executor& executor, Handlers& handlers, httpd::WebSocket& socket,
              LiveClient client);

  void started(const std::string& job_id) override;

 private:
  void hear(httpd::WebSocket::Message message) override;
  void hear_nothing() override;
  [[nodiscard]] std::string output_message(run::Stream stream, const std::string& data) const override;
  void finished(const model::Outcome& outcome) override;
  void refused(const Response& refusal) override;

  void take(const wire::LiveStart& start);
  void take(const wire::LiveStdin& bytes);
  void take(const wire::LiveStdinEnd& end);
  void take(const wire::LiveSignal& signal);
  void take(const wire::LiveResize& resize);
  void fault(const wire::RequestError& error);
  void fault(const std::string& field, std::string message);

  bool has_terminal_ = false;
  model::OutputEncoding encoding_ = model::OutputEncoding::kUtf8;
};

}  // namespace outrigger::api
