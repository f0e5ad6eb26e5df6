#include "store_redis/queue.h"

#include <sys/eventfd.h>

#include <utility>

namespace outrigger::store_redis {
namespace {

using store::JobState;

constexpr std::size_t kReplySlack = 64UL << 20U;  // what results and many small answers may come to
constexpr std::size_t kBytesAtOnce = 8UL << 20U;  // of entries in one round trip

JobState state_named(std::string_view name) {
  if (name == "queued") return JobState::kQueued;
  if (name == "running") return JobState::kRunning;
  if (name == "finished") return JobState::kFinished;
  if (name == "dead") return JobState::kDead;
  return JobState::kUnknown;
}

bool is_final(JobState state) { return state == JobState::kFinished || state == JobState::kDead; }

}  // namespace

RedisQueue::RedisQueue(RedisOptions options, const Address& address, base::UniqueFd wake)
    : options_(std::move(options)),
      keys_(options_.prefix, options_.worker),
      wake_(std::move(wake)),
      taking_(address, 2 * options_.largest_entry + kReplySlack),
      asking_(address, 2 * options_.largest_entry + kReplySlack) {}

base::Status RedisQueue::open() {
  // Only an earlier process can have left anything before this one has taken its first job.
  if (!begun_) {
    if (const auto recovered = recover("own"); !recovered) return std::unexpected(recovered.error());
    begun_ = true;
  }
  const auto renewed = renew({});
  if (!renewed) return std::unexpected(renewed.error());
  return {};
}

base::Status RedisQueue::put(std::span<const store::Submission> jobs) {
  const Deadline until = deadline();
  std::vector<ScriptCall> calls;
  std::size_t bytes = 0;
  for (const store::Submission& job : jobs) {
    calls.push_back({&scripts::kPut, {keys_.jobs, keys_.job(job.job_id), keys_.result(job.job_id)}, {job.entry}});
    bytes += job.entry.size();
    if (bytes < kBytesAtOnce && &job != &jobs.back()) continue;
    if (const auto replies = asking_.run(calls, until); !replies) return std::unexpected(replies.error());
    calls.clear();
    bytes = 0;
  }
  return {};
}

base::Result<store::JobView> RedisQueue::look(const std::string& job_id) {
  const auto reply = asking_.run_one({&scripts::kLook, {keys_.job(job_id), keys_.result(job_id)}, {}}, deadline());
  if (!reply) return std::unexpected(reply.error());
  store::JobView view;
  view.state = state_named(text_at(**reply, 0));
  view.attempt = static_cast<std::uint32_t>(integer_at(**reply, 1));
  view.cancel_requested = text_at(**reply, 2) == "1";
  view.worker = text_at(**reply, 3);
  view.result = text_at(**reply, 5);
  if (!view.result.empty() && !is_final(view.state)) view.state = JobState::kFinished;
  if (!is_final(view.state)) view.entry = text_at(**reply, 4);
  return view;
}

base::Result<std::vector<JobState>> RedisQueue::states(std::span<const std::string> job_ids) {
  if (job_ids.empty()) return std::vector<JobState>();
  Commands commands;
  for (const std::string& job_id : job_ids) commands.add({"HGET", keys_.job(job_id), "state"});
  const auto replies = asking_.run(commands, deadline());
  if (!replies) return std::unexpected(replies.error());
  std::vector<JobState> states;
  states.reserve(replies->size());
  for (const Reply& reply : *replies) states.push_back(state_named(as_text(*reply).value_or("")));
  return states;
}

base::Result<store::CancelResult> RedisQueue::cancel(const std::string& job_id) {
  const auto reply =
      asking_.run_one({&scripts::kCancel,
                       {keys_.jobs, keys_.job(job_id), keys_.running, keys_.result(job_id), keys_.workers, keys_.lease},
                       {job_id, options_.worker, lease_ms()}},
                      deadline());
  if (!reply) return std::unexpected(reply.error());
  if (text_at(**reply, 0) != "taken") return store::CancelResult(state_named(text_at(**reply, 0)));
  store::TakenJob job;
  job.job_id = job_id;
  job.attempt = static_cast<std::uint32_t>(integer_at(**reply, 1));
  job.entry = text_at(**reply, 2);
  job.last_failure = text_at(**reply, 3);
  job.cancelled = true;
  held_.hold(job_id, job.entry);
  return store::CancelResult(std::move(job));
}

base::Result<store::QueueDepth> RedisQueue::depth() {
  const auto reply = asking_.run_one(
      {&scripts::kDepth, {keys_.jobs, keys_.workers, keys_.dead}, {keys_.running_prefix, keys_.taken_prefix}},
      deadline());
  if (!reply) return std::unexpected(reply.error());
  const auto number = [&](std::size_t index) { return static_cast<std::uint64_t>(integer_at(**reply, index)); };
  return store::QueueDepth{.waiting = number(0), .running = number(1), .dead = number(2)};
}

void RedisQueue::interrupt() {
  // It can only fail where the counter is full: then it is readable anyway.
  static_cast<void>(::eventfd_write(wake_.get(), 1));
}

}  // namespace outrigger::store_redis
