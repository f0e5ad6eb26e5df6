#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "config/config.h"
#include "ledger/appender.h"
#include "roster/roster.h"
#include "witness/events.h"
#include "witness/fleet_watch.h"
#include "witness/incidents.h"
#include "witness/intake.h"
#include "witness/metrics_page.h"

namespace outrigger::witness {

// What is done at each interval, and between two when something has happened. For one thread. A run goes through here
// like this:
//   card appears     -> the job is looked at at once, then at each interval and at each change of its events files
//   summary appears  -> last look, verdict, line to the ledger; the summary is removed once that is on the disk
//   card disappears  -> without a summary within a minute: an incident
//   group disappears -> forgotten; it should have done so within seconds of the end
class Rounds {
 public:
  using Clock = roster::Roster::Clock;

  // All of these outlive it. `ledger_dir` stays the caller's.
  Rounds(const config::Config& config, ledger::Appender& executions, Incidents& incidents, int ledger_dir);

  void tick(Clock::time_point now);
  // For poll(2), and then to be drained; -1: there are none.
  [[nodiscard]] int events_fd() const { return events_.fd(); }
  void drain_events();
  // Lines have come onto the disk.
  void settle() { intake_.settle(); }

  [[nodiscard]] std::size_t under_way() const { return intake_.under_way(); }
  // Without what only the ledgers and the alerts know.
  [[nodiscard]] MetricsSnapshot snapshot() const;

 private:
  bool find_estate();
  void settle_left_over();
  void look_at_cards(Clock::time_point now);
  void tell_of_jobs(Clock::time_point now);
  void on_card(const std::string& job_id);
  void on_card_gone(const std::string& job_id);

  const config::Config& config_;
  Incidents& incidents_;
  int ledger_dir_;
  roster::Estate estate_;
  roster::Roster roster_;
  Intake intake_;
  FleetWatch fleet_;
  Events events_;
  std::string waiting_for_;  // why there is nothing to watch; empty: there is
  unsigned ticks_ = 0;
  bool look_at_everything_ = true;
  bool settled_ = false;
  bool told_blindness_ = false;
};

}  // namespace outrigger::witness
