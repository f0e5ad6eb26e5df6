#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace outrigger::store_redis {

// The jobs this worker has claimed, with their entries: what tells a job that was handed out from one whose claim's
// answer never arrived, and lets a Redis that has lost its memory be told of it anew. For two threads.
class HeldJobs {
 public:
  // Before the claim is sent, so that nobody thinks it unheld in between. False where it is held already.
  bool expect(const std::string& job_id, std::string_view entry);
  void hold(const std::string& job_id, std::string_view entry);
  void forget(const std::string& job_id);
  [[nodiscard]] bool holds(const std::string& job_id) const;
  // The entry, while its job is being settled; nothing where it is not held.
  std::optional<std::string> take(const std::string& job_id);
  [[nodiscard]] std::optional<std::string> entry(const std::string& job_id) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> entries_;
};

}  // namespace outrigger::store_redis
