#include <algorithm>
#include <utility>

#include "store_redis/dead_entry.h"
#include "store_redis/queue.h"

namespace outrigger::store_redis {

using store::RunningJob;
using store::Settled;

// Runs `call`, which answers 1 where the job was still this worker's. Its entry is let go of before: the moment the job
// is back in the queue, the other thread may claim it again.
base::Result<Settled> RedisQueue::settle(const RunningJob& job, ScriptCall call) {
  auto entry = held_.take(job.job_id);
  const auto reply = asking_.run_one(std::move(call), deadline());
  if (!reply) {
    if (entry) static_cast<void>(held_.expect(job.job_id, *entry));
    return std::unexpected(reply.error());
  }
  return as_integer(**reply) == 1 ? Settled::kFinal : Settled::kNotOurs;
}

ScriptCall RedisQueue::final_call(const RunningJob& job, std::string_view state, std::string_view result,
                                  std::chrono::seconds lifetime) const {
  return {&scripts::kSettle,
          {keys_.job(job.job_id), keys_.result(job.job_id), keys_.running, keys_.dead},
          {job.job_id, std::to_string(job.attempt), options_.worker, std::string(state), std::string(result),
           std::to_string(std::max(lifetime, std::chrono::seconds(1)).count()), keys_.done, std::string(),
           std::to_string(std::min(job.attempt, options_.max_attempts))}};
}

base::Result<Settled> RedisQueue::finish(const RunningJob& job, std::string_view result,
                                         std::chrono::seconds lifetime) {
  return settle(job, final_call(job, "finished", result, lifetime));
}

base::Result<Settled> RedisQueue::bury(const RunningJob& job, std::string_view reason, std::string_view result,
                                       std::chrono::seconds lifetime) {
  const std::string entry = held_.entry(job.job_id).value_or(std::string());
  const DeadEntry dead{.job_id = job.job_id,
                       .reason = reason,
                       .attempts = std::min(job.attempt, options_.max_attempts),
                       .at = std::chrono::system_clock::now(),
                       .worker = options_.worker,
                       .entry = entry,
                       .entry_bytes = entry.size()};
  ScriptCall call = final_call(job, "dead", result, lifetime);
  static constexpr std::size_t kDeadArgument = 7;
  call.arguments[kDeadArgument] = dead_entry_text(dead);
  return settle(job, std::move(call));
}

ScriptCall RedisQueue::return_call(const RunningJob& job, bool counts, std::string_view reason,
                                   std::string_view entry) const {
  return {&scripts::kGiveBack,
          {keys_.job(job.job_id), keys_.result(job.job_id), keys_.running, keys_.jobs},
          {job.job_id, std::to_string(job.attempt), options_.worker, counts ? "1" : "0", std::string(reason),
           std::string(entry)}};
}

base::Result<Settled> RedisQueue::give_back(const RunningJob& job, std::string_view reason, bool counts) {
  return settle(job, return_call(job, counts, reason, held_.entry(job.job_id).value_or(std::string())));
}

}  // namespace outrigger::store_redis
