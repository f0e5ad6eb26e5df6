#pragma once

#include <termios.h>

#include <chrono>
#include <optional>
#include <string>

#include "view/report.h"

namespace outrigger::view {

// A terminal taken over as a live screen: alternate buffer, no echo, keys without a newline. Restored at the end,
// whatever the end is (a caller turns SIGINT, SIGTERM and SIGHUP into a return).
class LiveScreen {
 public:
  LiveScreen();
  ~LiveScreen();
  LiveScreen(const LiveScreen&) = delete;
  LiveScreen& operator=(const LiveScreen&) = delete;

  // Draws over what was there: as many jobs as there is room for.
  void draw(Report report, bool colour);

  enum class Key { kNone, kQuit, kSorted };
  // Waits for a key, for `signals` (a signalfd) to be readable, or so long. Keys: m, c, t, a sort by memory, CPU,
  // throttling, age; q ends.
  Key wait(std::chrono::milliseconds time, int signals);

  void sort_by(Order order) { order_ = order; }

 private:
  Order order_ = Order::kMemory;
  std::optional<termios> before_;
};

}  // namespace outrigger::view
