#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "fleet/ceiling.h"

namespace outrigger::fleet {

// What a pause of the auditor's says first, so that another auditor knows it for its own, and an operator whom to ask.
inline constexpr char kReasonPrefix[] = "crows-nest: ";

struct DaemonAddress {
  std::string url;    // "http://127.0.0.1:8080"; empty: no daemon is known
  std::string token;  // bearer token; empty: none
};

struct DispatchState {
  enum class Reach { kNotAsked, kReached, kRefused, kUnreachable };
  Reach reach = Reach::kNotAsked;
  std::string trouble;  // of the last two: a sentence
  bool paused = false;  // by whomever, when last heard
  std::string reason;
  OwnPause own;
};

// Asks the daemon whether dispatch is paused, and tells it when it should be, on a thread of its own: a daemon that
// hangs does not hold up the auditor. Tried again at each interval, for ever. All calls are safe from one other thread.
class DispatchLine {
 public:
  explicit DispatchLine(std::chrono::milliseconds interval);
  ~DispatchLine();  // waits for a request that is under way: 3 s at most
  DispatchLine(const DispatchLine&) = delete;
  DispatchLine& operator=(const DispatchLine&) = delete;

  void set_address(DaemonAddress address);
  // Takes effect at once where it differs from what was wanted before. A pause that is not ours is left as it is.
  void want(bool paused, const std::string& reason);
  [[nodiscard]] DispatchState state() const;

 private:
  void work();
  void exchange(const DaemonAddress& address, bool wanted, const std::string& reason);
  void note(const DispatchState& state);

  std::chrono::milliseconds interval_;
  mutable std::mutex mutex_;  // over what follows
  std::condition_variable changed_;
  DaemonAddress address_;
  bool wanted_ = false;
  std::string reason_;
  DispatchState state_;
  bool hurry_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

// One question, as the table asks it.
DispatchState ask_dispatch(const DaemonAddress& address);

}  // namespace outrigger::fleet
