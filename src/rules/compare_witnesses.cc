#include <algorithm>

#include "rules/differences.h"
#include "rules/evidence.h"
#include "rules/summary_facts.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

using model::Status;
using std::chrono::microseconds;

// Honest differences: a process uses CPU while it dies; the kernel keeps its high-water marks without a lock.
constexpr microseconds kCpuSlack{50'000};
constexpr double kCpuSlackShare = 0.05;
constexpr std::uint64_t kMemorySlack = 1ULL << 20;
constexpr std::uint64_t kPidsSlack = 1;

void compare_names(const model::Outcome& outcome, const Subject& card, Differences& found) {
  if (outcome.tenant_id != card.tenant_id) {
    found.add("it is of tenant " + outcome.tenant_id + ", the card of " + card.tenant_id,
              {{"summary.tenant_id", outcome.tenant_id}, {"card.tenant_id", card.tenant_id}});
  }
  if (outcome.language != card.language) {
    found.add("its language is " + outcome.language + ", on the card " + card.language,
              {{"summary.language", outcome.language}, {"card.language", card.language}});
  }
  if (outcome.job_id != card.job_id) {
    found.add("it is of job " + outcome.job_id, {{"summary.job_id", outcome.job_id}, {"card.job_id", card.job_id}});
  }
}

// Counters that the auditor has read too: what it saw must be in the summary.
void compare_count(const char* name, std::uint64_t read, const std::optional<std::uint64_t>& told, std::uint64_t slack,
                   Differences& found) {
  if (!told || read <= *told + slack) return;
  found.add("the auditor read " + std::string(name) + " " + std::to_string(read) + ", it says " + std::to_string(*told),
            {{"reading." + std::string(name), read}, {"summary." + std::string(name), *told}});
}

void compare_oom_kills(const model::Outcome& outcome, const Observed& observed, Differences& found) {
  const auto& told = outcome.usage.oom_kills;
  compare_count("oom_kills", observed.oom_kills, told, 0, found);
  // Who has failed in its work may not have come to read it; else what the kernel offers to one it offers to both.
  const bool may_be_open = outcome.status == Status::kInternalError || outcome.status == Status::kInterrupted;
  if (observed.oom_kills == 0 || told || may_be_open) return;
  found.add("the auditor read " + count_text(observed.oom_kills, "OOM kill") + ", it says that none are counted here",
            {{"reading.oom_kills", observed.oom_kills}, fact_if("summary.oom_kills", told)});
}

void compare_memory(const model::Usage& usage, const Observed& observed, Differences& found) {
  if (!usage.peak_memory_bytes || observed.memory_bytes <= *usage.peak_memory_bytes + kMemorySlack) return;
  found.add("the auditor read " + bytes_text(observed.memory_bytes) + " of memory, its peak is " +
                bytes_text(*usage.peak_memory_bytes),
            {{"reading.memory_bytes", observed.memory_bytes}, {"summary.peak_memory_bytes", *usage.peak_memory_bytes}});
}

void compare_cpu(const model::Usage& usage, const Observed& observed, Differences& found) {
  if (!usage.cpu_time || !observed.cpu_used_usec) return;
  const microseconds used(*observed.cpu_used_usec);
  const microseconds share(static_cast<std::int64_t>(kCpuSlackShare * static_cast<double>(usage.cpu_time->count())));
  // Of a jail made for its job, the making may lie in the auditor's first interval.
  const microseconds setup = usage.setup_cpu_time.value_or(microseconds{0});
  if (used <= *usage.cpu_time + setup + std::max(kCpuSlack, share)) return;
  const std::string besides = setup.count() > 0 ? ", and " + time_text(setup) + " for the making of its jail" : "";
  found.add("between two readings alone it used " + time_text(used) + " of CPU, it says " + time_text(*usage.cpu_time) +
                " in all" + besides,
            {{"reading.cpu_used_usec", *observed.cpu_used_usec},
             fact_if("summary.cpu_usage_usec", usage.cpu_time),
             fact_if("summary.setup_cpu_usec", usage.setup_cpu_time)});
}

}  // namespace

void compare_with_card(const wire::Termination& summary, const Subject& card, Differences& found) {
  const model::Outcome& outcome = summary.outcome;
  compare_names(outcome, card, found);
  const model::Limits& limits = card.limits;
  if (outcome.status == Status::kTimeout && clearly_below(outcome.wall_time, limits.wall_time)) {
    found.add("its status is timeout after " + time_text(outcome.wall_time) + " of " + time_text(limits.wall_time),
              {status_fact(outcome),
               {"summary.runtime_usec", static_cast<std::uint64_t>(outcome.wall_time.count())},
               {"card.wall_time_ms", static_cast<std::uint64_t>(limits.wall_time.count())}});
  }
  const auto& cpu = outcome.usage.cpu_time;
  const bool by_signal = outcome.signal == "SIGXCPU";  // per process, and any process may send it
  if (outcome.status == Status::kCpuExceeded && !by_signal && cpu && clearly_below(*cpu, limits.cpu_time)) {
    found.add("its status is cpu_exceeded after " + time_text(*cpu) + " of " + time_text(limits.cpu_time) +
                  " of CPU, without SIGXCPU",
              {status_fact(outcome),
               signal_fact(outcome),
               fact_if("summary.cpu_usage_usec", cpu),
               {"card.cpu_time_ms", static_cast<std::uint64_t>(limits.cpu_time.count())}});
  }
}

void compare_with_readings(const wire::Termination& summary, const Observed& observed, Differences& found) {
  if (!observed.version) return;
  const model::Usage& usage = summary.outcome.usage;
  compare_oom_kills(summary.outcome, observed, found);
  compare_cpu(usage, observed, found);
  compare_memory(usage, observed, found);
  compare_count("pids_peak", observed.pids, usage.peak_pids, kPidsSlack, found);
  compare_count("pids_limit_hits", observed.pids_limit_hits, usage.pids_limit_hits, 0, found);
  const std::string version(sys::version_name(*observed.version));
  if (!summary.cgroup_driver.empty() && summary.cgroup_driver != version) {
    found.add("its cgroup_driver is " + summary.cgroup_driver + ", the group is of " + version,
              {{"summary.cgroup_driver", summary.cgroup_driver}, {"reading.version", version}});
  }
}

}  // namespace outrigger::rules
