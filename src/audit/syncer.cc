#include "audit/syncer.h"

#include "base/log.h"

namespace outrigger::audit {

void Syncer::start() {
  thread_ = std::thread([this] { run(); });
}

void Syncer::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Syncer::run() {
  Position synced = journal_.end();
  bool failing = false;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, interval_, [this] { return stopping_; });
    const Position end = journal_.end();
    if (end == synced) continue;
    lock.unlock();
    const base::Status done = journal_.sync();
    if (!done && !failing) base::log(base::Level::kError, "audit_spool_not_synced", {{"error", done.error().text()}});
    failing = !done;
    if (done) synced = end;
    lock.lock();
  }
}

}  // namespace outrigger::audit
