// What the auditor reads in a daemon's state directory, with any bytes: termination summaries, job cards and the
// daemon's own card. What parses is sound: ids are safe as file names, written again it parses to the same, and no rule
// stumbles over it.
//
// summary [-max_total_time=60] [CORPUS_DIR]    (libFuzzer)

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rules/death.h"
#include "rules/rule.h"
#include "wire/daemon_card.h"
#include "wire/job_card.h"
#include "wire/termination.h"

namespace outrigger::wire {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void require_reason(const RequestError& error) { require(!error.message.empty()); }

void require_file_name(std::string_view id) {
  require(!id.empty() && id.size() <= 64 && id.front() != '.' && id.front() != '-');
  require(id.find('/') == std::string_view::npos && id.find('\0') == std::string_view::npos);
}

// Times are written with milliseconds.
bool same(std::chrono::system_clock::time_point one, std::chrono::system_clock::time_point other) {
  return std::chrono::floor<std::chrono::milliseconds>(one) == std::chrono::floor<std::chrono::milliseconds>(other);
}

bool same(const model::Usage& one, const model::Usage& other) {
  return one.cpu_time == other.cpu_time && one.throttled_time == other.throttled_time && one.periods == other.periods &&
         one.throttled_periods == other.throttled_periods && one.peak_memory_bytes == other.peak_memory_bytes &&
         one.oom_kills == other.oom_kills && one.memory_limit_hits == other.memory_limit_hits &&
         one.peak_pids == other.peak_pids && one.pids_limit_hits == other.pids_limit_hits;
}

bool same(const model::SecurityEvent& one, const model::SecurityEvent& other) {
  return one.type == other.type && one.detail == other.detail && one.count == other.count &&
         one.syscall == other.syscall && one.args == other.args;
}

// What a summary tells; limits and the time in the queue it does not.
bool same(const model::Outcome& one, const model::Outcome& other) {
  return one.job_id == other.job_id && one.tenant_id == other.tenant_id && one.language == other.language &&
         one.status == other.status && one.exit_code == other.exit_code && one.signal == other.signal &&
         one.cause.code == other.cause.code && one.cause.text == other.cause.text && one.wall_time == other.wall_time &&
         same(one.started_at, other.started_at) && same(one.ended_at, other.ended_at) &&
         one.stdout_stream.bytes == other.stdout_stream.bytes && one.stderr_stream.bytes == other.stderr_stream.bytes &&
         same(one.usage, other.usage) &&
         std::ranges::equal(one.security_events, other.security_events,
                            [](const auto& a, const auto& b) { return same(a, b); });
}

std::string written(const Termination& summary) {
  return termination_json(summary.outcome, summary.command, summary.cgroup_driver, summary.attempt);
}

// By what the auditor would have read of it itself.
void judge(const Termination& summary) {
  probe::Reading reading;
  reading.memory_bytes = 1U << 20U;
  reading.oom_kills = 1U;
  reading.cpu_usage_usec = 100'000U;
  reading.pids = 1U;
  reading.pids_limit = 33U;
  probe::Reading first = reading;
  first.cpu_usage_usec = 0U;
  const rules::Subject job{summary.outcome.job_id, "acme", "python", {}, summary.outcome.started_at};
  rules::Sight sight{job};
  sight.ended = true;
  sight.first = sight.before = &first;
  sight.now = &reading;
  sight.summary = &summary;
  for (const rules::RuleKind& kind : rules::all_rules()) {
    const auto finding = kind.make()->look(sight);
    require(!finding || (finding->rule == kind.name && !finding->text.empty()));
  }
  for (const bool seen : {false, true}) {
    rules::DeathScene scene{summary};
    if (seen) scene.card = &job;
    if (seen) scene.first = &first;
    if (seen) scene.last = &reading;
    const rules::CauseOfDeath cause = rules::cause_of_death(scene);
    require(!cause.code.empty() && !cause.text.empty());
  }
}

void summary(std::string_view text) {
  const auto first = parse_termination(text);
  if (!first) return require_reason(first.error());
  require_file_name(first->outcome.job_id);
  require(first->outcome.tenant_id.find('/') == std::string::npos && first->attempt > 0);
  const std::string once = written(*first);
  const auto again = parse_termination(once);
  require(again.has_value());
  require(same(first->outcome, again->outcome) && first->attempt == again->attempt);
  require(first->command == again->command && first->cgroup_driver == again->cgroup_driver);
  const auto& kills = first->outcome.usage.oom_kills;
  require(again->cgroup_oom_triggered == (kills ? std::optional(*kills > 0) : std::nullopt));
  require(written(*again) == once);
  judge(*first);
}

// The reader of decimals is off by a unit in the last place now and then.
bool same(const model::Limits& one, model::Limits other) {
  if (std::abs(one.cpu_cores - other.cpu_cores) <= 1e-12 * one.cpu_cores) other.cpu_cores = one.cpu_cores;
  return one == other;
}

void job_card(std::string_view text) {
  const auto first = parse_job_card(text);
  if (!first) return require_reason(first.error());
  require_file_name(first->job_id);
  require(first->cgroup.starts_with('/'));
  const auto again = parse_job_card(job_card_json(*first));
  require(again.has_value());
  require(first->job_id == again->job_id && first->tenant_id == again->tenant_id);
  require(first->language == again->language && first->command == again->command && first->cgroup == again->cgroup);
  require(same(first->started_at, again->started_at) && same(first->limits, again->limits));
}

void daemon_card(std::string_view text) {
  const auto first = parse_daemon_card(text);
  if (!first) return require_reason(first.error());
  const std::string once = daemon_card_json(*first);
  const auto again = parse_daemon_card(once);
  require(again.has_value());
  require(first->pid == again->pid && first->version == again->version && first->listen == again->listen);
  require(first->cgroup_driver == again->cgroup_driver && first->cgroup_root == again->cgroup_root);
  require(same(first->started_at, again->started_at) && daemon_card_json(*again) == once);
}

}  // namespace
}  // namespace outrigger::wire

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  outrigger::wire::summary(text);
  outrigger::wire::job_card(text);
  outrigger::wire::daemon_card(text);
  return 0;
}
