#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "base/error.h"

namespace outrigger::webhook {
class Courier;
}

namespace outrigger::witness {

// Tells a URL of the operator's of each incident, on a thread of its own. Best effort, for waking people: what is true
// stands in the ledger. A receiver that is slow or away costs alerts, which are counted, and nothing else.
class Alerts {
 public:
  // Nothing is sent where `url` is empty. `secret` signs what is sent; empty: unsigned. kInvalid for what is no URL.
  static base::Status check(const std::string& url);
  Alerts(std::string url, std::string secret);
  ~Alerts();  // lets what is under way end: 10 s at most; drops what waits
  Alerts(const Alerts&) = delete;
  Alerts& operator=(const Alerts&) = delete;

  // `body` is one JSON object. Never waits.
  void send(std::string job_id, std::string body);

  struct State {
    std::uint64_t sent = 0;
    std::uint64_t dropped = 0;  // found the line full, or were refused or unheard three times
  };
  [[nodiscard]] State state() const;

 private:
  struct Alert {
    std::string job_id;
    std::string body;
  };
  void work();
  bool deliver(webhook::Courier& courier, const Alert& alert);

  std::string url_;
  std::string secret_;
  mutable std::mutex mutex_;  // over what follows
  std::condition_variable changed_;
  std::deque<Alert> waiting_;
  State state_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace outrigger::witness
