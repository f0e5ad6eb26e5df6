#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

namespace outrigger::store {

// A job on its way into the queue. `entry` is the JSON object that any producer may push: a request's body with the
// job's id in it.
struct Submission {
  std::string job_id;
  std::string entry;
};

enum class JobState {
  kUnknown,  // never heard of, or so long ago that it was forgotten
  kQueued,
  kRunning,
  kFinished,  // has its final result
  kDead,      // given up; has a result that says why, where its id was known
};

struct JobView {
  JobState state = JobState::kUnknown;
  std::uint32_t attempt = 0;  // how many were begun
  bool cancel_requested = false;
  std::string worker;  // who runs it, or has finished it
  std::string entry;   // empty once it is final
  std::string result;  // JSON; of kFinished and kDead
};

// A job that is this worker's until it is finished, buried or given back, or the lease runs out.
struct TakenJob {
  std::string job_id;
  std::string entry;
  std::uint32_t attempt = 1;  // this one's number; above the maximum: it is to be buried
  bool cancelled = false;     // somebody asked for that: it is to be finished as cancelled, not to be run
  std::string last_failure;   // why the attempt before this one came to nothing; empty at the first
};

// What an entry says of itself.
struct Identified {
  std::string job_id;
  std::string entry;  // with the id in it, where the producer had left it out
};
using Identify = std::function<std::expected<Identified, std::string>(std::string_view raw)>;

enum class Settled {
  kFinal,    // this call made the job's one final result
  kNotOurs,  // the job has a final result already, or is another's now; nothing was changed
};

enum class Holding { kOurs, kCancelled, kLost };

struct RunningJob {
  std::string job_id;
  std::uint32_t attempt = 1;
};

struct QueueDepth {
  std::uint64_t waiting = 0;
  std::uint64_t running = 0;  // of all workers
  std::uint64_t dead = 0;
};

// What cancel() found: kUnknown, kFinished and kDead: nothing to do; kRunning: marked, its worker will see it when it
// renews; TakenJob: it was waiting, and is now this worker's to finish, under an attempt's number that was not begun.
using CancelResult = std::variant<JobState, TakenJob>;

// One queue as one worker sees it. Blocking. take() may be called on one thread and everything else on another; no more
// than that. Each call connects where no connection stands, and none takes longer than its own deadline (take(): than
// `wait` and that).
// Errors: kSystem or kTimedOut where the queue can't be reached or does not answer: to be tried again, and what was
// asked may have been done. No error's text holds a password.
class JobQueue {
 public:
  virtual ~JobQueue() = default;

  virtual base::Status open() = 0;

  // Puts those in that are not known yet. When it returns, they are as durable as the queue is.
  virtual base::Status put(std::span<const Submission> jobs) = 0;
  virtual base::Result<JobView> look(const std::string& job_id) = 0;
  // The state of each, in order; cheaper than look().
  virtual base::Result<std::vector<JobState>> states(std::span<const std::string> job_ids) = 0;
  virtual base::Result<CancelResult> cancel(const std::string& job_id) = 0;

  // Up to `max` jobs, oldest first; waits up to `wait` for the first. Entries that `identify` refuses go to the dead
  // list, each once; a job that is final or running already is dropped.
  virtual base::Result<std::vector<TakenJob>> take(std::size_t max, std::chrono::milliseconds wait,
                                                   const Identify& identify) = 0;
  // Ends a take() that waits, from any thread; the next one returns at once too.
  virtual void interrupt() = 0;

  // `result` is kept for `lifetime`, and announced.
  virtual base::Result<Settled> finish(const RunningJob& job, std::string_view result,
                                       std::chrono::seconds lifetime) = 0;
  // As finish(), and into the dead list with `reason`.
  virtual base::Result<Settled> bury(const RunningJob& job, std::string_view reason, std::string_view result,
                                     std::chrono::seconds lifetime) = 0;
  // To the queue's head for another attempt; `counts`: this one has used one up.
  virtual base::Result<Settled> give_back(const RunningJob& job, std::string_view reason, bool counts) = 0;
  // Prolongs the worker's lease, and says how each job it believes to be running stands.
  virtual base::Result<std::vector<Holding>> renew(std::span<const RunningJob> running) = 0;
  // Returns the jobs of workers whose lease has run out (their attempt is used up); how many.
  virtual base::Result<std::size_t> recover() = 0;
  virtual base::Result<QueueDepth> depth() = 0;
};

}  // namespace outrigger::store
