#pragma once

#include <string>
#include <string_view>

#include "run/cancellation.h"

namespace outrigger::run {

enum class Stream { kStdout, kStderr };

// Whoever follows a job while it runs. Called from the coroutines that run it: it returns at once and does not throw.
class Follower {
 public:
  Follower() = default;
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;
  virtual ~Follower() = default;

  // It has a slot and a jail, and its program is about to be handed over.
  virtual void started(const std::string& job_id) = 0;
  // Bytes as they were read, up to the stream's limit. The job's outcome does not have them once more.
  virtual void wrote(Stream stream, std::string_view bytes) = 0;
};

// Who is there while a job runs: somebody who may end it always, somebody who follows it perhaps. Both outlive the job.
struct Attendance {
  // NOLINTNEXTLINE(google-explicit-constructor): most jobs are attended by nobody else
  Attendance(Cancellation& its_cancellation, Follower* its_follower = nullptr)
      : cancellation(its_cancellation), follower(its_follower) {}

  Cancellation& cancellation;
  Follower* follower;
};

}  // namespace outrigger::run
