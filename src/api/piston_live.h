#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/live_job.h"
#include "model/runtime.h"
#include "piston/connect.h"
#include "piston/runtimes.h"

namespace outrigger::api {

// GET /api/v2/connect: Piston's conversation (docs/piston.md).
class PistonLive final : public LiveJob {
 public:
  // `runtimes` outlive it.
  PistonLive(const boost::asio::any_io_executor& executor, Handlers& handlers, httpd::WebSocket& socket,
             LiveClient client, std::span<const model::InstalledRuntime> runtimes);

  void started(const std::string& job_id) override;
  void compiled(const model::CompileReport& report) override;

 private:
  void hear(httpd::WebSocket::Message message) override;
  void hear_nothing() override;
  [[nodiscard]] std::string output_message(run::Stream stream, const std::string& data) const override;
  void finished(const model::Outcome& outcome) override;
  void refused(const Response& refusal) override;

  void init(const std::string& request);
  void take(const piston::Data& data);
  void take(const piston::Signal& signal);
  void close(const piston::Closing& closing) { end(closing.code, std::string(closing.reason)); }
  void fail(std::string_view message);
  void tell_compiling();
  void tell_compiled(const model::CompileReport& report);

  std::span<const model::InstalledRuntime> runtimes_;
  bool compiles_ = false;   // its language does
  bool begun_ = false;      // started() has been called
  bool compiling_ = false;  // that it is being compiled has been told
  bool compiled_ = false;   // and how that ended
};

}  // namespace outrigger::api
