#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "store/job_queue.h"
#include "store_redis/held_jobs.h"
#include "store_redis/keys.h"
#include "store_redis/redis.h"
#include "store_redis/session.h"

namespace outrigger::store_redis {

// Each step that touches more than one key is one script (lua/), so that whoever dies in between leaves nothing half
// done; calls for several jobs go in one round trip. What is in doubt after a failed call is resolved from what Redis
// says, never from what was sent.
class RedisQueue final : public store::JobQueue {
 public:
  // `wake`: an eventfd, non-blocking.
  RedisQueue(RedisOptions options, const Address& address, base::UniqueFd wake);

  base::Status open() override;
  base::Status put(std::span<const store::Submission> jobs) override;
  base::Result<store::JobView> look(const std::string& job_id) override;
  base::Result<std::vector<store::JobState>> states(std::span<const std::string> job_ids) override;
  base::Result<store::CancelResult> cancel(const std::string& job_id) override;
  base::Result<std::vector<store::TakenJob>> take(std::size_t max, std::chrono::milliseconds wait,
                                                  const store::Identify& identify) override;
  void interrupt() override;
  base::Result<store::Settled> finish(const store::RunningJob& job, std::string_view result,
                                      std::chrono::seconds lifetime) override;
  base::Result<store::Settled> bury(const store::RunningJob& job, std::string_view reason, std::string_view result,
                                    std::chrono::seconds lifetime) override;
  base::Result<store::Settled> give_back(const store::RunningJob& job, std::string_view reason, bool counts) override;
  base::Result<std::vector<store::Holding>> renew(std::span<const store::RunningJob> running) override;
  base::Result<std::size_t> recover() override;
  base::Result<store::QueueDepth> depth() override;

 private:
  // What lies in the worker's own list: the text is only the entry's beginning where it is larger than the largest.
  struct RawEntry {
    std::size_t bytes = 0;
    std::string_view text;
  };
  struct RawEntries {
    Reply reply;  // what the texts are views of
    std::vector<RawEntry> entries;
  };
  // An entry on its way from the worker's list: to a job, or to the dead.
  struct Claim;

  [[nodiscard]] Deadline deadline() const { return std::chrono::steady_clock::now() + options_.command_deadline; }
  [[nodiscard]] std::string lease_ms() const { return std::to_string(options_.lease.count()); }

  // take()'s thread.
  [[nodiscard]] bool take_interrupt();
  [[nodiscard]] bool is_interrupted() const;
  base::Result<RawEntries> drain(std::size_t max, Deadline deadline);
  base::Result<RawEntries> wait_for_one(std::chrono::milliseconds wait);
  Claim make_claim(const RawEntry& raw, const store::Identify& identify);
  [[nodiscard]] ScriptCall refusal_call(const RawEntry& raw, std::string_view reason) const;
  base::Result<std::vector<store::TakenJob>> claim(const RawEntries& raw, const store::Identify& identify,
                                                   Deadline deadline);
  // Everything else's.
  base::Result<std::size_t> recover(std::string_view whose);
  base::Result<store::Settled> settle(const store::RunningJob& job, ScriptCall call);
  [[nodiscard]] ScriptCall final_call(const store::RunningJob& job, std::string_view state, std::string_view result,
                                      std::chrono::seconds lifetime) const;
  [[nodiscard]] ScriptCall return_call(const store::RunningJob& job, bool counts, std::string_view reason,
                                       std::string_view entry) const;
  base::Status remember(std::span<const store::RunningJob> running, std::span<const std::size_t> forgotten,
                        std::vector<store::Holding>& holdings);
  void put_right(const redisReply& unsaid, bool has_unclaimed);

  RedisOptions options_;
  Keys keys_;
  base::UniqueFd wake_;
  Session taking_;  // BLMOVE blocks its connection, so take() has one of its own
  Session asking_;
  HeldJobs held_;
  std::atomic<bool> begun_ = false;  // this process has held jobs under the worker's name
  std::atomic<bool> in_take_ = false;
};

}  // namespace outrigger::store_redis
