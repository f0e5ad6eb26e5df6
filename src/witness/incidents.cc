#include "witness/incidents.h"

#include "base/log.h"
#include "ledger/match.h"
#include "ledger/query.h"
#include "rules/rule.h"
#include "wire/json_writer.h"
#include "wire/time_text.h"
#include "witness/lines.h"

namespace outrigger::witness {
namespace {

// An auditor that was away for long finds no running job in older lines.
constexpr std::size_t kLinesRemembered = 10'000;

base::Level level_of(rules::Severity severity) {
  return severity == rules::Severity::kInfo ? base::Level::kInfo : base::Level::kWarn;
}

}  // namespace

Incidents::Incidents(ledger::Appender& ledger, Alerts& alerts) : ledger_(ledger), alerts_(alerts) {
  // A first one is a rise only from a zero that was seen.
  for (const rules::RuleKind& kind : rules::all_rules()) by_rule_.emplace(kind.name, 0);
  for (const std::string_view rule : kOwnRules) by_rule_.emplace(rule, 0);
}

void Incidents::remember(int ledger_dir, const std::set<std::string>& running) {
  if (running.empty()) return;
  std::size_t lines = 0;
  const auto look = [&](std::string_view line) {
    const auto job_id = ledger::text_member(line, "job_id");
    const auto rule = ledger::text_member(line, "rule");
    if (job_id && rule && running.contains(*job_id)) told_before_.emplace(*job_id, *rule);
    return ++lines < kLinesRemembered;
  };
  const auto read = ledger::for_each_line(ledger_dir, kIncidentLedger, ledger::Order::kNewestFirst, look);
  if (!read) base::log(base::Level::kWarn, "incidents_not_read", {{"error", read.error().text()}});
}

void Incidents::file(const rules::Subject* subject, const rules::Finding& finding) {
  const std::string job_id = subject != nullptr ? subject->job_id : std::string();
  if (told_before_.erase({job_id, std::string(finding.rule)}) > 0) return;
  ++by_rule_[std::string(finding.rule)];
  const std::string members = incident_members(subject, finding);
  base::log(level_of(finding.severity), finding.rule, {{"job_id", job_id}, {"text", finding.text}});
  if (const auto added = ledger_.add(members); !added) {
    ++lost_;
    base::log(base::Level::kError, "incident_lost", {{"job_id", job_id}, {"error", added.error().text()}});
  }
  const std::string now = wire::time_text(std::chrono::system_clock::now());
  alerts_.send(job_id, R"({"recorded_at":")" + now + "\"," + members + "}");
}

}  // namespace outrigger::witness
