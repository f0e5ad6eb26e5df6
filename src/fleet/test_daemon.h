#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"
#include "wire/dispatch_json.h"

namespace outrigger::fleet {

// Whether `condition` becomes true before a minute is over: only a failing test waits so long.
bool eventually(const std::function<bool()>& condition);

// For tests: what a daemon answers to GET and PUT /api/v1/dispatch, on 127.0.0.1, one request after the other, on a
// thread of its own.
class TestDaemon {
 public:
  // Its port is taken at once; who connects before listen() is refused.
  TestDaemon();
  ~TestDaemon();
  TestDaemon(const TestDaemon&) = delete;
  TestDaemon& operator=(const TestDaemon&) = delete;

  void listen();
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // What stands, as an operator may set it.
  void set(const wire::Dispatch& dispatch);
  [[nodiscard]] wire::Dispatch dispatch() const;
  // Answers every request so instead; 0: as a daemon does.
  void answer_with(int status, std::string body = {});
  // Requests are read, and their answers wait.
  void withhold(bool withheld);

  [[nodiscard]] std::size_t asked() const;                   // requests that have come
  [[nodiscard]] std::size_t answered() const;                // of which so many were answered
  [[nodiscard]] std::vector<std::string> puts() const;       // the bodies of those that were to change something
  [[nodiscard]] std::string last_request() const;            // as it came
  [[nodiscard]] bool told(const std::string& needle) const;  // whether the last request has this in it

 private:
  void serve();
  void serve_one(int peer);
  std::string answer(const std::string& request);
  bool wait_until_released();

  base::UniqueFd listener_;
  base::UniqueFd stop_;
  std::uint16_t port_ = 0;

  mutable std::mutex mutex_;  // over what follows
  wire::Dispatch dispatch_;
  int status_ = 0;
  std::string body_;
  bool withheld_ = false;
  bool stopped_ = false;
  std::size_t asked_ = 0;
  std::size_t answered_ = 0;
  std::vector<std::string> puts_;
  std::string last_request_;
  std::thread thread_;
};

}  // namespace outrigger::fleet
