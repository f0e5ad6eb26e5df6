#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "audit/journal.h"

namespace outrigger::audit {

// The thread that has the journal reach the disk: many records at a time.
class Syncer {
 public:
  Syncer(Journal& journal, std::chrono::milliseconds interval) : journal_(journal), interval_(interval) {}
  Syncer(const Syncer&) = delete;
  Syncer& operator=(const Syncer&) = delete;
  ~Syncer() { stop(); }

  void start();
  // After a last time.
  void stop();

 private:
  void run();

  Journal& journal_;
  std::chrono::milliseconds interval_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace outrigger::audit
