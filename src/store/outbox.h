#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "store/job_queue.h"

namespace outrigger::store {

// Jobs this daemon has promised to run, kept on its own disk until the shared queue says that they are final: what the
// queue loses with its memory is put in again. Blocking, for one thread at a time; errors as AuditStore's.
class Outbox {
 public:
  virtual ~Outbox() = default;

  virtual base::Status open() = 0;
  // When it returns, they survive this machine's crash.
  virtual base::Status add(std::span<const Submission> jobs) = 0;
  // Those due for a look, longest waiting first: never put into the queue, or last seen before `seen_before`.
  virtual base::Result<std::vector<Submission>> due(std::chrono::system_clock::time_point seen_before,
                                                    std::size_t at_most) = 0;
  virtual base::Result<std::optional<Submission>> find(const std::string& job_id) = 0;
  // They were in the queue at `when`.
  virtual base::Status mark_seen(std::span<const std::string> job_ids, std::chrono::system_clock::time_point when) = 0;
  virtual base::Status remove(std::span<const std::string> job_ids) = 0;
  virtual base::Result<std::size_t> size() = 0;
};

}  // namespace outrigger::store
