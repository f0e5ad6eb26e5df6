#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "blocking/sleeper.h"
#include "blocking/thread.h"
#include "queue/callbacks.h"
#include "queue/line.h"
#include "run/task_group.h"
#include "store/outbox.h"
#include "webhook/courier.h"

namespace outrigger::queue {

// Callbacks as HTTP requests. What is to be sent lies on this machine's disk from before its job is final until it is
// delivered or given up; a daemon that dies in between sends it after its next start. So a receiver may get one twice:
// it goes by the job's id. Single-threaded.
class Webhooks final : public Callbacks {
 public:
  // `outbox`: of callbacks alone.
  Webhooks(const boost::asio::any_io_executor& executor, webhook::UrlRules rules, webhook::CourierOptions options,
           std::unique_ptr<store::Outbox> outbox);

  // Some results are told in another API's form, by PUT: what that is, nothing for ours.
  using Translate = std::function<std::optional<std::string>(const std::string& job_id, const std::string& result)>;
  void translate_by(Translate translate) { translate_ = std::move(translate); }

  // Sends; what an earlier process left, too, where the queue says that its job is final. `line` outlives stop() and
  // join().
  void start(Line& line) override;
  void stop() override;
  boost::asio::awaitable<void> join() override { return tasks_.join(); }

  [[nodiscard]] std::string refusal(const std::string& url) const override;
  boost::asio::awaitable<void> prepare(std::string job_id, Callback callback) override;
  void decide(const std::string& job_id, bool deliver) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Due {
    unsigned attempts = 0;
    Clock::time_point at;
    bool taken = false;
  };
  struct Sender {
    explicit Sender(const webhook::UrlRules& rules, const webhook::CourierOptions& options) : courier(rules, options) {}
    webhook::Courier courier;
    blocking::Thread thread;
  };

  boost::asio::awaitable<void> recover(Line& line);
  boost::asio::awaitable<void> recover_one(Line& line, store::Submission left);
  boost::asio::awaitable<void> send_all(std::size_t sender);
  boost::asio::awaitable<void> send_one(std::size_t sender, std::string job_id);
  boost::asio::awaitable<void> forget(std::string job_id);
  std::optional<std::string> next(Clock::duration& wait);

  webhook::UrlRules rules_;
  std::unique_ptr<store::Outbox> outbox_;
  Translate translate_;
  std::map<std::string, Due> due_;
  blocking::Sleeper sleeper_;
  run::TaskGroup tasks_;
  std::vector<std::unique_ptr<Sender>> senders_;  // a slow receiver holds up one of them
  blocking::Thread disk_;
};

}  // namespace outrigger::queue
