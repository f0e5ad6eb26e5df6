#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"

namespace outrigger::webhook {

// Takes deliveries on 127.0.0.1, one after the other, on a thread of its own; gone when it is destroyed. Each request
// is kept as it came, and answered with what `answer` holds; an empty answer leaves the caller waiting.
class TestReceiver {
 public:
  explicit TestReceiver(std::string answer = "HTTP/1.1 204 No Content\r\n\r\n");
  ~TestReceiver();
  TestReceiver(const TestReceiver&) = delete;
  TestReceiver& operator=(const TestReceiver&) = delete;

  [[nodiscard]] std::string host_and_port() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::string url(const std::string& host = "127.0.0.1") const {
    return "http://" + host + ":" + std::to_string(port_) + "/hook?a=b";
  }
  [[nodiscard]] int port() const { return port_; }
  // Ends the thread; what has been asked until then.
  std::vector<std::string> requests();

 private:
  void serve();
  void serve_one(int peer);

  std::string answer_;
  base::UniqueFd listener_;
  base::UniqueFd stop_;
  int port_ = 0;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace outrigger::webhook
