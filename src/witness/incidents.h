#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "ledger/appender.h"
#include "rules/finding.h"
#include "rules/sight.h"
#include "witness/alerts.h"

namespace outrigger::witness {

inline constexpr char kExecutionLedger[] = "execution";
inline constexpr char kIncidentLedger[] = "incidents";

// What the auditor files by itself, beside what rules::all_rules() find in jobs.
inline constexpr std::array<std::string_view, 9> kOwnRules{
    "fleet_memory_ceiling", "fleet_memory_recovered", "daemon_unreachable", "daemon_reachable", "summary_missing",
    "bad_summary",          "ledger_repaired",        "ledger_broken",      "namespaces_hidden"};

// Where findings go: the incident ledger, the log, and whoever is to be woken.
class Incidents {
 public:
  // Both outlive it.
  Incidents(ledger::Appender& ledger, Alerts& alerts);

  // What the auditor before this one had told of jobs that still run is not told again: reads the ledger's newest
  // lines.
  void remember(int ledger_dir, const std::set<std::string>& running);

  void report(const rules::Subject& subject, const rules::Finding& finding) { file(&subject, finding); }
  void report(const rules::Finding& finding) { file(nullptr, finding); }

  [[nodiscard]] const std::map<std::string, std::uint64_t, std::less<>>& by_rule() const { return by_rule_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }  // found the ledger's line full

 private:
  void file(const rules::Subject* subject, const rules::Finding& finding);

  ledger::Appender& ledger_;
  Alerts& alerts_;
  std::set<std::pair<std::string, std::string>> told_before_;  // job, rule
  std::map<std::string, std::uint64_t, std::less<>> by_rule_;
  std::uint64_t lost_ = 0;
};

}  // namespace outrigger::witness
