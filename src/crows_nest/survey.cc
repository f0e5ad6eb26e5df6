#include "crows_nest/survey.h"

#include <algorithm>
#include <map>

#include "base/log.h"
#include "fleet/dispatch_line.h"
#include "ledger/match.h"
#include "ledger/query.h"
#include "probe/machine.h"
#include "rules/rule.h"
#include "witness/daemon_address.h"
#include "witness/incidents.h"
#include "witness/ledger_place.h"

namespace outrigger::crows_nest {
namespace {

using std::chrono::system_clock;

std::optional<rules::Severity> severity_of(std::string_view name) {
  for (const auto severity : {rules::Severity::kInfo, rules::Severity::kWarning, rules::Severity::kCritical}) {
    if (rules::severity_name(severity) == name) return severity;
  }
  return std::nullopt;
}

// A finding keeps its rule's name by reference; those of jobs are all in the list.
std::optional<std::string_view> listed_rule(std::string_view name) {
  for (const rules::RuleKind& kind : rules::all_rules()) {
    if (kind.name == name) return kind.name;
  }
  return std::nullopt;
}

std::optional<rules::Finding> finding_of(std::string_view line) {
  const auto name = ledger::text_member(line, "rule");
  const auto severity = ledger::text_member(line, "severity");
  const auto rule = listed_rule(name.value_or(""));
  const auto known = severity_of(severity.value_or(""));
  if (!rule || !known) return std::nullopt;
  return rules::Finding{*rule, *known, ledger::text_member(line, "text").value_or(""), {}};
}

}  // namespace

Survey::Survey(const config::Config& config, bool history)
    : config_(config),
      estate_(config.paths),
      roster_(estate_, {.history = history}, [](const rules::Subject&, const rules::Finding&) {}) {}

base::Status Survey::look() {
  const auto now = roster::Roster::Clock::now();
  if (const auto opened = estate_.open(); !opened) return std::unexpected(opened.error());
  roster_.rescan(now);
  roster_.look_at_all(now);
  // One job that can't be found stands in the table with nothing known; only none at all is no table.
  bool any = false;
  roster_.for_each_running([&any](const roster::TrackedJob& job) { any = any || job.seen(); });
  if (const auto& trouble = roster_.trouble(); trouble && !any) return std::unexpected(*trouble);
  return {};
}

view::Report Survey::report() const {
  view::Report report;
  report.jobs = roster_.rows(system_clock::now());
  report.driver = roster_.driver();
  add_incidents(report.jobs);
  view::FleetRow& fleet = report.fleet;
  fleet.sandbox_memory_bytes = roster_.memory_bytes();
  fleet.working_set_bytes =
      fleet.sandbox_memory_bytes - std::min(roster_.inactive_file_bytes(), fleet.sandbox_memory_bytes);
  fleet.host_memory_bytes = probe::memory_total_bytes().optional();
  if (const std::uint64_t host = fleet.host_memory_bytes.value_or(0); host > 0) {
    fleet.share = static_cast<double>(fleet.sandbox_memory_bytes) / static_cast<double>(host);
  }
  fleet.ceiling = config_.crows_nest.ceiling_percent / 100;
  const fleet::DispatchState dispatch = fleet::ask_dispatch(witness::find_daemon(estate_, config_));
  if (dispatch.reach == fleet::DispatchState::Reach::kReached) fleet.dispatch_paused = dispatch.paused;
  fleet.own_pause = dispatch.own.in_force;
  fleet.dispatch_reason = dispatch.reason;
  fleet.trouble = dispatch.trouble;
  return report;
}

void Survey::add_incidents(std::vector<view::JobRow>& jobs) const {
  constexpr std::size_t kMostLines = 10'000;
  const auto dir = witness::open_ledger_dir(config_.paths);
  if (!dir || jobs.empty()) return;
  std::map<std::string, view::JobRow*> by_id;
  auto oldest = std::chrono::milliseconds{0};
  for (view::JobRow& job : jobs) {
    by_id.emplace(job.job_id, &job);
    oldest = std::max(oldest, job.age);
  }
  std::size_t lines = 0;
  const auto look = [&](std::string_view line) {
    const auto job = by_id.find(ledger::text_member(line, "job_id").value_or(""));
    auto finding = job != by_id.end() ? finding_of(line) : std::nullopt;
    if (finding &&
        std::ranges::find(job->second->findings, finding->rule, &rules::Finding::rule) == job->second->findings.end()) {
      job->second->findings.push_back(std::move(*finding));
    }
    return ++lines < kMostLines;
  };
  // Older lines are of other runs, whose ids these have been given again.
  const ledger::Filter filter{.since = system_clock::now() - oldest};
  const auto read = ledger::find(dir->get(), witness::kIncidentLedger, filter, ledger::Order::kNewestFirst, look);
  if (!read) base::log(base::Level::kWarn, "incidents_not_read", {{"error", read.error().text()}});
}

}  // namespace outrigger::crows_nest
