#pragma once

#include <functional>
#include <utility>

namespace outrigger::run {

// Why a job is being ended from outside, beside its own limits.
enum class CancelReason {
  kNone,
  kRequested,    // the caller asked for it
  kClientLeft,   // the caller's connection closed
  kShuttingDown  // the daemon's grace period is over
};

// A one-shot signal from whoever asked for a job to the coroutine that runs it. Single-threaded; the first reason wins.
// Must outlive the execution it was handed to.
class Cancellation {
 public:
  void cancel(CancelReason reason) {
    if (cancelled()) return;
    reason_ = reason;
    if (handler_) handler_();
  }

  [[nodiscard]] CancelReason reason() const { return reason_; }
  [[nodiscard]] bool cancelled() const { return reason_ != CancelReason::kNone; }

  // Called once when cancel() is, or now if it was already. One handler at a time: a new one replaces the old, an empty
  // one takes it away.
  void on_cancel(std::function<void()> handler) {
    handler_ = std::move(handler);
    if (handler_ && cancelled()) handler_();
  }

 private:
  CancelReason reason_ = CancelReason::kNone;
  std::function<void()> handler_;
};

}  // namespace outrigger::run
