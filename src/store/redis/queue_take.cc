#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "store_redis/dead_entry.h"
#include "store_redis/queue.h"

// How jobs are taken: what waits is moved to the worker's own list (drain, or a blocking move of one), read here, and
// claimed. Whoever dies in between has its list returned by recover(); whoever loses only the answer finds it in its
// list next time.
namespace outrigger::store_redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A worker that stops dead while Redis holds a blocking move for it must not be given an entry once others have seen
// its lease run out: the move ends long before that.
constexpr milliseconds kLongestMove{5'000};
milliseconds longest_move(milliseconds lease) { return std::min(kLongestMove, lease / 3); }

std::string seconds_text(milliseconds duration) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.3f", std::chrono::duration<double>(duration).count());
  return {text.data(), static_cast<std::size_t>(size)};
}

struct Mark {
  explicit Mark(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
  ~Mark() { flag_ = false; }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;

 private:
  std::atomic<bool>& flag_;
};

}  // namespace

struct RedisQueue::Claim {
  ScriptCall call;
  std::string job_id;  // empty: it goes to the dead
  std::string entry;
  bool expected = false;  // told to held_ beforehand
};

base::Result<std::vector<store::TakenJob>> RedisQueue::take(std::size_t max, milliseconds wait,
                                                            const store::Identify& identify) {
  if (max == 0 || take_interrupt()) return std::vector<store::TakenJob>();
  const Mark mark(in_take_);
  const auto end = steady_clock::now() + wait;
  const auto last = end + options_.command_deadline;
  for (;;) {
    auto raw = drain(max, std::min(deadline(), last));
    const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
    if (raw && raw->entries.empty() && left > milliseconds::zero()) {
      raw = wait_for_one(std::min(left, longest_move(options_.lease)));
    }
    if (!raw && raw.error().code == base::Code::kCancelled) return std::vector<store::TakenJob>();
    if (!raw) return std::unexpected(raw.error());
    auto jobs = claim(*raw, identify, last);
    if (!jobs || !jobs->empty() || is_interrupted()) return jobs;
    // Where all that was there were refused or dropped, jobs may stand behind them, whatever `wait` says.
    const auto now = steady_clock::now();
    if (raw->entries.empty() ? now >= end : now + options_.command_deadline / 2 >= last) return jobs;
  }
}

bool RedisQueue::take_interrupt() {
  eventfd_t count = 0;
  return ::eventfd_read(wake_.get(), &count) == 0;
}

bool RedisQueue::is_interrupted() const {
  pollfd watched{wake_.get(), POLLIN, 0};
  return ::poll(&watched, 1, 0) > 0;
}

base::Result<RedisQueue::RawEntries> RedisQueue::drain(std::size_t max, Deadline deadline) {
  auto reply = taking_.run_one({&scripts::kDrain,
                                {keys_.jobs, keys_.taken, keys_.workers, keys_.lease},
                                {options_.worker, lease_ms(), std::to_string(max),
                                 std::to_string(options_.largest_entry), std::to_string(kDeadEntryBytes)}},
                               deadline);
  if (!reply) return std::unexpected(reply.error());
  RawEntries raw{std::move(*reply), {}};
  for (std::size_t i = 0; i + 1 < as_elements(*raw.reply).size(); i += 2) {
    raw.entries.push_back({static_cast<std::size_t>(integer_at(*raw.reply, i)), text_at(*raw.reply, i + 1)});
  }
  return raw;
}

base::Result<RedisQueue::RawEntries> RedisQueue::wait_for_one(milliseconds wait) {
  Commands commands;
  commands.add({"BLMOVE", keys_.jobs, keys_.taken, "RIGHT", "LEFT", seconds_text(wait)});
  auto replies = taking_.run(commands, deadline() + wait, wake_.get());
  if (!replies) return std::unexpected(replies.error());
  RawEntries raw{std::move(replies->front()), {}};
  if (const auto text = as_text(*raw.reply)) raw.entries.push_back({text->size(), *text});
  return raw;
}

RedisQueue::Claim RedisQueue::make_claim(const RawEntry& raw, const store::Identify& identify) {
  if (raw.bytes > options_.largest_entry) {
    const std::string reason = "the entry has " + std::to_string(raw.bytes) + " bytes, and at most " +
                               std::to_string(options_.largest_entry) + " are read";
    return {refusal_call(raw, reason), {}, {}, false};
  }
  auto identified = identify(raw.text);
  if (!identified) return {refusal_call(raw, identified.error()), {}, {}, false};
  const bool same = identified->entry == raw.text;
  ScriptCall call{&scripts::kClaim,
                  {keys_.taken, keys_.job(identified->job_id), keys_.running, keys_.result(identified->job_id)},
                  {std::string(raw.text), identified->job_id, same ? std::string() : identified->entry, options_.worker,
                   keys_.lease_prefix, keys_.running_prefix}};
  const bool expected = held_.expect(identified->job_id, identified->entry);
  return {std::move(call), std::move(identified->job_id), std::move(identified->entry), expected};
}

ScriptCall RedisQueue::refusal_call(const RawEntry& raw, std::string_view reason) const {
  const DeadEntry dead{.job_id = {},
                       .reason = reason,
                       .attempts = 0,
                       .at = std::chrono::system_clock::now(),
                       .worker = options_.worker,
                       .entry = raw.text,
                       .entry_bytes = raw.bytes};
  return {&scripts::kRefuse,
          {keys_.taken, keys_.dead},
          {std::string(raw.text), std::to_string(raw.bytes), dead_entry_text(dead)}};
}

base::Result<std::vector<store::TakenJob>> RedisQueue::claim(const RawEntries& raw, const store::Identify& identify,
                                                             Deadline deadline) {
  std::vector<store::TakenJob> jobs;
  if (raw.entries.empty()) return jobs;
  begun_ = true;
  std::vector<Claim> claims;
  std::vector<ScriptCall> calls;
  for (const RawEntry& one : raw.entries) {
    claims.push_back(make_claim(one, identify));
    calls.push_back(std::move(claims.back().call));
  }
  const auto replies = taking_.run(calls, deadline);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    Claim& claim = claims[i];
    if (claim.job_id.empty()) continue;
    if (!replies || integer_at(*(*replies)[i], 0) == 0) {
      // Not ours; or in doubt, and then renew() returns what Redis says we hold.
      if (claim.expected) held_.forget(claim.job_id);
      continue;
    }
    const redisReply& reply = *(*replies)[i];
    held_.hold(claim.job_id, claim.entry);
    jobs.push_back({.job_id = std::move(claim.job_id),
                    .entry = std::move(claim.entry),
                    .attempt = static_cast<std::uint32_t>(integer_at(reply, 1)),
                    .cancelled = text_at(reply, 2) == "1",
                    .last_failure = std::string(text_at(reply, 3))});
  }
  if (!replies) return std::unexpected(replies.error());
  return jobs;
}

}  // namespace outrigger::store_redis
