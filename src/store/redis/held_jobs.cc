#include "store_redis/held_jobs.h"

#include <utility>

namespace outrigger::store_redis {

bool HeldJobs::expect(const std::string& job_id, std::string_view entry) {
  const std::lock_guard lock(mutex_);
  return entries_.try_emplace(job_id, entry).second;
}

void HeldJobs::hold(const std::string& job_id, std::string_view entry) {
  const std::lock_guard lock(mutex_);
  entries_.insert_or_assign(job_id, std::string(entry));
}

void HeldJobs::forget(const std::string& job_id) {
  const std::lock_guard lock(mutex_);
  entries_.erase(job_id);
}

bool HeldJobs::holds(const std::string& job_id) const {
  const std::lock_guard lock(mutex_);
  return entries_.contains(job_id);
}

std::optional<std::string> HeldJobs::take(const std::string& job_id) {
  const std::lock_guard lock(mutex_);
  auto node = entries_.extract(job_id);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

std::optional<std::string> HeldJobs::entry(const std::string& job_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(job_id);
  if (found == entries_.end()) return std::nullopt;
  return found->second;
}

}  // namespace outrigger::store_redis
