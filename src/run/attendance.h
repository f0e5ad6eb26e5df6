#pragma once

#include <string>
#include <string_view>

#include "model/outcome.h"
#include "run/cancellation.h"
#include "run/live_input.h"

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
  // After started(), of a language that is compiled: its compile step has gone well, now or for an earlier job, and its
  // program is about to be run.
  virtual void compiled(const model::CompileReport& /*report*/) {}
  // Bytes as they were read, up to the stream's limit. The job's outcome does not have them once more.
  virtual void wrote(Stream stream, std::string_view bytes) = 0;
};

// Who is there while a job runs: somebody who may end it always, somebody who follows or feeds it perhaps. All of them
// outlive the job.
struct Attendance {
  // NOLINTNEXTLINE(google-explicit-constructor): most jobs are attended by nobody else
  Attendance(Cancellation& its_cancellation, Follower* its_follower = nullptr, LiveInput* its_input = nullptr)
      : cancellation(its_cancellation), follower(its_follower), input(its_input) {}

  Cancellation& cancellation;
  Follower* follower;
  LiveInput* input;  // what follows the job's stdin_data; null: its end
};

}  // namespace outrigger::run
