#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/unique_fd.h"
#include "ledger/appender.h"
#include "roster/roster.h"
#include "witness/incidents.h"

namespace outrigger::witness {

// Takes termination summaries from the daemon's spool into the execution ledger, one line a run: a summary is removed
// only after its line is on the disk, and one that is found again after a crash is looked up there first.
class Intake {
 public:
  using Clock = std::chrono::steady_clock;

  // All of these outlive it. `ledger_dir` stays the caller's.
  Intake(const roster::Estate& estate, roster::Roster& roster, ledger::Appender& ledger, Incidents& incidents,
         int ledger_dir);

  // What an auditor that died has left: summaries whose lines are in the ledger already are removed. Before anything is
  // taken. False where the ledger can't be read now, and it has to be tried again.
  [[nodiscard]] bool settle_left_over();
  // All that lie there and are not on their way yet.
  void take_all(Clock::time_point now);
  void take(const std::string& file_name, Clock::time_point now);
  // Removes the summaries whose lines are on the disk.
  void settle();

  [[nodiscard]] std::size_t under_way() const { return under_way_.size(); }
  // Of those whose lines are on the disk, what could not be removed: it is tried again with each take_all().
  [[nodiscard]] std::size_t stuck() const { return stuck_.size(); }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& by_cause() const { return by_cause_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& memory_events() const { return memory_events_; }
  [[nodiscard]] std::uint64_t missed() const { return missed_; }  // of which nobody had read a counter while they ran

 private:
  struct Parsed {
    std::optional<wire::Termination> summary;
    std::string fault;  // empty: it is gone, or can't be read now
  };
  struct Held {
    std::string file;
    std::string members;
  };
  Parsed read(const std::string& file_name) const;
  // Whether the run has a line; nothing where the ledger can't be read now.
  [[nodiscard]] std::optional<bool> is_known(const wire::Termination& summary) const;
  bool add_held();
  void remember(const wire::Termination& summary);
  void reject(const std::string& file_name, const std::string& fault);
  void remove(const std::string& file_name);
  void count(const wire::Termination& summary, const roster::Death& death);

  const roster::Estate& estate_;
  roster::Roster& roster_;
  ledger::Appender& ledger_;
  Incidents& incidents_;
  int ledger_dir_;
  std::deque<std::pair<std::uint64_t, std::string>> waiting_;  // ticket, file; in order of tickets
  std::optional<Held> held_;                                   // the ledger had no room for it
  std::unordered_set<std::string> under_way_;                  // files of both
  std::unordered_set<std::string> stuck_;
  std::unordered_set<std::uint64_t> recent_;  // runs, by a hash: to be looked up
  std::deque<std::uint64_t> recent_order_;
  std::map<std::string, std::uint64_t> by_cause_;
  std::map<std::string, std::uint64_t> memory_events_;
  std::uint64_t missed_ = 0;
};

}  // namespace outrigger::witness
