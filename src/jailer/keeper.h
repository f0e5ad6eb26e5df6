#pragma once

#include <chrono>
#include <cstdint>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jailer/machine.h"
#include "jailer/restart_pace.h"
#include "sys/process.h"

namespace outrigger::jailer {

// Sees to it that the daemon, which has given up root, always has a jailer. The keeper forks it, hands its socket over
// and waits; when it dies, what is left of its jails is killed, reaped and swept away, and the next one is forked. So
// no two jails ever have the same ids, and none of the leases lapses meanwhile.
//
// It reads a fixed-size word of a jailer that starts, and of the daemon only its end: then it waits for the jailer,
// which ends with the daemon too, and leaves nothing behind.
class Keeper {
 public:
  // `daemon`: where each jailer is announced (protocol.h).
  Keeper(base::UniqueFd daemon, Machine machine) : daemon_(std::move(daemon)), machine_(std::move(machine)) {}

  // Until the daemon is gone, or the first jailer can't start; the exit status.
  int run();

 private:
  // One jailer from its start to its end. An error: it could not start.
  base::Status keep_one();
  base::Result<sys::Child> fork_jailer(base::UniqueFd& daemon_end, base::UniqueFd jailer_end);
  base::Status await_word(int daemon_end);
  base::Status announce(const sys::Child& jailer, base::UniqueFd daemon_end);
  void await_end(const sys::Child& jailer);
  void clean_up();
  void announce_failure(const base::Error& error, std::chrono::milliseconds pause);
  void wait(std::chrono::milliseconds pause);

  base::UniqueFd daemon_;
  Machine machine_;
  RestartPace pace_;
  std::uint32_t generation_ = 0;
  std::chrono::steady_clock::duration served_{};  // by the last one
  bool ending_ = false;                           // the daemon is gone
};

}  // namespace outrigger::jailer
