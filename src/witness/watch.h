#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "config/config.h"

namespace outrigger::witness {

struct WatchOptions {
  config::Config config;
  std::string version;
};

// The auditor at work: looks at each job at each interval and whenever the kernel tells of a change, judges, keeps the
// fleet below its ceiling, and writes both ledgers. One thread, which never waits for a disk or a server; the ledgers,
// the daemon and the webhook have threads of their own.
class Watch {
 public:
  // kConflict where another auditor writes these ledgers; kNotFound, kInvalid, kSystem with the step that failed.
  static base::Result<std::unique_ptr<Watch>> open(WatchOptions options);
  virtual ~Watch() = default;

  // Until SIGINT or SIGTERM; then what has been taken is brought to the disk. The signals must be blocked in every
  // thread (end_signals.h).
  virtual base::Status run() = 0;
};

}  // namespace outrigger::witness
