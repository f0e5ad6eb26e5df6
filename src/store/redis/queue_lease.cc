#include <utility>

#include "base/log.h"
#include "store_redis/queue.h"

// What keeps a living worker's jobs its own, and returns a vanished one's.
namespace outrigger::store_redis {

using store::Holding;
using store::RunningJob;

base::Result<std::vector<Holding>> RedisQueue::renew(std::span<const RunningJob> running) {
  ScriptCall call{&scripts::kRenew,
                  {keys_.workers, keys_.lease, keys_.running, keys_.taken},
                  {options_.worker, lease_ms(), keys_.job_prefix, keys_.result_prefix}};
  for (const RunningJob& job : running) {
    call.arguments.push_back(job.job_id);
    call.arguments.push_back(std::to_string(job.attempt));
  }
  const auto reply = asking_.run_one(std::move(call), deadline());
  if (!reply) return std::unexpected(reply.error());
  const auto parts = as_elements(**reply);
  if (parts.size() != 3 || as_elements(*parts[1]).size() != running.size()) {
    return base::failure(base::Code::kSystem, "redis_command", "renew: an answer of another form");
  }

  std::vector<Holding> holdings(running.size(), Holding::kLost);
  std::vector<std::size_t> forgotten;
  for (std::size_t i = 0; i < running.size(); ++i) {
    const std::string_view standing = text_at(*parts[1], i);
    if (standing == "ours") holdings[i] = Holding::kOurs;
    if (standing == "cancelled") holdings[i] = Holding::kCancelled;
    if (standing == "forgotten") forgotten.push_back(i);
  }
  if (const auto status = remember(running, forgotten, holdings); !status) return std::unexpected(status.error());
  for (std::size_t i = 0; i < running.size(); ++i) {
    if (holdings[i] == Holding::kLost) held_.forget(running[i].job_id);
  }
  put_right(*parts[2], integer_at(**reply, 0) > 0);
  return holdings;
}

// Redis has lost its memory: what it has forgotten is written down anew, so that it is not lost with this worker.
base::Status RedisQueue::remember(std::span<const RunningJob> running, std::span<const std::size_t> forgotten,
                                  std::vector<Holding>& holdings) {
  std::vector<ScriptCall> calls;
  std::vector<std::size_t> asked;
  for (const std::size_t i : forgotten) {
    const RunningJob& job = running[i];
    const auto entry = held_.entry(job.job_id);
    if (!entry) continue;
    calls.push_back({&scripts::kRemember,
                     {keys_.job(job.job_id), keys_.result(job.job_id), keys_.running},
                     {job.job_id, std::to_string(job.attempt), options_.worker, *entry}});
    asked.push_back(i);
  }
  if (calls.empty()) return {};
  const auto replies = asking_.run(calls, deadline());
  if (!replies) return std::unexpected(replies.error());
  for (std::size_t k = 0; k < asked.size(); ++k) {
    if (as_integer(*(*replies)[k]) == 1) holdings[asked[k]] = Holding::kOurs;
  }
  return {};
}

// Returns what only a call whose answer never arrived can have left: jobs that Redis says are this worker's, and that
// were never handed out; entries taken, and not claimed. They have used up no attempt. Where it fails, the next renewal
// finds them again.
void RedisQueue::put_right(const redisReply& unsaid, bool has_unclaimed) {
  std::vector<ScriptCall> calls;
  for (std::size_t i = 0; i + 1 < as_elements(unsaid).size(); i += 2) {
    const RunningJob job{std::string(text_at(unsaid, i)), static_cast<std::uint32_t>(integer_at(unsaid, i + 1))};
    if (!held_.holds(job.job_id)) calls.push_back(return_call(job, false, {}, {}));
  }
  // take() sees to its own list itself; a claim that comes after this finds its entry gone, and lets go.
  if (has_unclaimed && !in_take_) calls.push_back({&scripts::kReturnTaken, {keys_.taken, keys_.jobs}, {}});
  if (calls.empty()) return;
  const auto done = asking_.run(calls, deadline());
  if (!done) base::log(base::Level::kWarn, "redis_put_right_failed", {{"error", done.error().text()}});
}

base::Result<std::size_t> RedisQueue::recover() { return recover("others"); }

base::Result<std::size_t> RedisQueue::recover(std::string_view whose) {
  const auto reply = asking_.run_one({&scripts::kRecover,
                                      {keys_.workers, keys_.jobs},
                                      {options_.worker, std::string(whose), keys_.lease_prefix, keys_.taken_prefix,
                                       keys_.running_prefix, keys_.job_prefix}},
                                     deadline());
  if (!reply) return std::unexpected(reply.error());
  return static_cast<std::size_t>(as_integer(**reply).value_or(0));
}

}  // namespace outrigger::store_redis
