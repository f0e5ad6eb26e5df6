#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "store/job_queue.h"

namespace outrigger::queue {

// A queue in memory for the tests of this room, that can be away and can lose its answers.
class TestQueue final : public store::JobQueue {
 public:
  struct Entry {
    std::string entry = {};
    store::JobState state = store::JobState::kQueued;
    std::uint32_t attempt = 0;
    bool cancel = false;
    std::string worker = {};
    std::string result = {};
    std::string last_failure = {};
  };

  base::Status open() override { return {}; }
  base::Status put(std::span<const store::Submission> jobs) override {
    const std::lock_guard lock(mutex);
    ++puts;
    if (away) return gone();
    for (const auto& job : jobs) {
      if (!known.try_emplace(job.job_id, Entry{job.entry}).second) continue;
      waiting.push_back(job.job_id);
    }
    changed.notify_all();
    return {};
  }
  base::Result<store::JobView> look(const std::string& job_id) override {
    const std::lock_guard lock(mutex);
    if (away) return std::unexpected(gone().error());
    store::JobView view;
    if (const auto found = known.find(job_id); found != known.end()) {
      const Entry& job = found->second;
      view = {job.state, job.attempt, job.cancel, job.worker, job.entry, job.result};
    }
    return view;
  }
  base::Result<std::vector<store::JobState>> states(std::span<const std::string> job_ids) override {
    const std::lock_guard lock(mutex);
    if (away) return std::unexpected(gone().error());
    std::vector<store::JobState> out;
    for (const auto& id : job_ids) out.push_back(known.contains(id) ? known[id].state : store::JobState::kUnknown);
    return out;
  }
  base::Result<store::CancelResult> cancel(const std::string& job_id) override {
    const std::lock_guard lock(mutex);
    const auto found = known.find(job_id);
    if (found == known.end()) return store::CancelResult{store::JobState::kUnknown};
    found->second.cancel = true;
    if (std::erase(waiting, job_id) == 0) return store::CancelResult{found->second.state};
    return store::CancelResult{claim(job_id)};
  }
  base::Result<std::vector<store::TakenJob>> take(std::size_t max, std::chrono::milliseconds wait,
                                                  const store::Identify&) override {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, wait, [this] { return interrupted || away || !waiting.empty(); });
    interrupted = false;
    if (away) return std::unexpected(gone().error());
    std::vector<store::TakenJob> out;
    while (!waiting.empty() && out.size() < max) {
      const std::string job_id = waiting.front();
      waiting.pop_front();
      out.push_back(claim(job_id));
    }
    return out;
  }
  void interrupt() override {
    const std::lock_guard lock(mutex);
    interrupted = true;
    changed.notify_all();
  }
  base::Result<store::Settled> finish(const store::RunningJob& job, std::string_view result,
                                      std::chrono::seconds) override {
    return settle(job, store::JobState::kFinished, result);
  }
  base::Result<store::Settled> bury(const store::RunningJob& job, std::string_view reason, std::string_view result,
                                    std::chrono::seconds) override {
    const std::lock_guard lock(mutex);
    dead.emplace_back(reason);
    return settle_locked(job, store::JobState::kDead, result);
  }
  base::Result<store::Settled> give_back(const store::RunningJob& job, std::string_view reason, bool counts) override {
    const std::lock_guard lock(mutex);
    Entry& entry = known[job.job_id];
    entry.state = store::JobState::kQueued;
    entry.last_failure = reason;
    if (!counts) --entry.attempt;
    ++given_back;
    waiting.push_front(job.job_id);
    changed.notify_all();
    return store::Settled::kFinal;
  }
  base::Result<std::vector<store::Holding>> renew(std::span<const store::RunningJob> running) override {
    const std::lock_guard lock(mutex);
    return std::vector<store::Holding>(running.size(), store::Holding::kOurs);
  }
  base::Result<std::size_t> recover() override { return 0; }
  base::Result<store::QueueDepth> depth() override { return store::QueueDepth{}; }

  std::mutex mutex;  // over all that follows
  std::condition_variable changed;
  std::map<std::string, Entry> known;
  std::deque<std::string> waiting;
  std::vector<std::string> dead;  // reasons
  std::size_t puts = 0;
  std::size_t given_back = 0;
  bool interrupted = false;
  bool away = false;
  int lost_answers = 0;      // so many settlements are done and not acknowledged
  bool is_anothers = false;  // every settlement finds that another worker has the job

 private:
  static base::Status gone() { return base::failure(base::Code::kTimedOut, "test_queue", "away"); }

  store::TakenJob claim(const std::string& job_id) {
    Entry& job = known[job_id];
    job.state = store::JobState::kRunning;
    job.worker = "w";
    return {job_id, job.entry, ++job.attempt, job.cancel, job.last_failure};
  }
  base::Result<store::Settled> settle(const store::RunningJob& job, store::JobState state, std::string_view result) {
    const std::lock_guard lock(mutex);
    return settle_locked(job, state, result);
  }
  base::Result<store::Settled> settle_locked(const store::RunningJob& job, store::JobState state,
                                             std::string_view result) {
    if (away) return std::unexpected(gone().error());
    Entry& entry = known[job.job_id];
    if (is_anothers || entry.state != store::JobState::kRunning || entry.attempt != job.attempt) {
      return store::Settled::kNotOurs;
    }
    entry.state = state;
    entry.result = result;
    if (lost_answers > 0 && lost_answers-- > 0) return std::unexpected(gone().error());
    return store::Settled::kFinal;
  }
};

}  // namespace outrigger::queue
