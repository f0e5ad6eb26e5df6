#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "run/cancellation.h"
#include "store/job_queue.h"

namespace outrigger::queue {

// The jobs this daemon has taken and not settled. Single-threaded.
class InFlight {
 public:
  void add(const std::string& job_id, std::uint32_t attempt) {
    jobs_[job_id].attempt = attempt;
    jobs_[job_id].cancelled = early_.erase(job_id) > 0;
  }
  // Whether it was to be cancelled.
  bool remove(const std::string& job_id) {
    auto node = jobs_.extract(job_id);
    return !node.empty() && node.mapped().cancelled;
  }

  // It is about to run: `cancellation` is its own until ended(), and strikes at once where cancel() came before.
  void begin(const std::string& job_id, run::Cancellation& cancellation) {
    Job& job = jobs_[job_id];
    job.cancellation = &cancellation;
    if (job.cancelled) cancellation.cancel(run::CancelReason::kRequested);
  }
  // It runs no more, and is yet to be settled.
  void ended(const std::string& job_id) {
    if (const auto found = jobs_.find(job_id); found != jobs_.end()) found->second.cancellation = nullptr;
  }

  // False where it is not here.
  bool cancel(const std::string& job_id) {
    const auto found = jobs_.find(job_id);
    if (found == jobs_.end()) return false;
    found->second.cancelled = true;
    if (found->second.cancellation != nullptr) found->second.cancellation->cancel(run::CancelReason::kRequested);
    return true;
  }

  // As cancel(), for one that is taken by somebody: perhaps by this daemon, which has yet to hear of it.
  void cancel_early(const std::string& job_id) {
    if (cancel(job_id)) return;
    if (early_.size() >= kMaxEarly) early_.clear();  // the rest is seen when leases are renewed
    early_.insert(job_id);
  }

  [[nodiscard]] std::vector<store::RunningJob> all() const {
    std::vector<store::RunningJob> out;
    for (const auto& [job_id, job] : jobs_) out.push_back({job_id, job.attempt});
    return out;
  }
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }

 private:
  struct Job {
    std::uint32_t attempt = 1;
    run::Cancellation* cancellation = nullptr;
    bool cancelled = false;
  };
  static constexpr std::size_t kMaxEarly = 1000;
  std::map<std::string, Job> jobs_;
  std::set<std::string> early_;
};

}  // namespace outrigger::queue
