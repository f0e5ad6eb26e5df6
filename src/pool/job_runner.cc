#include "pool/job_runner.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/log.h"
#include "run/execute.h"

namespace outrigger::pool {
namespace asio = boost::asio;
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// "NAME", or "BEGINNING*".
bool matches(const std::string& variable, const std::string& pattern) {
  if (!pattern.ends_with('*')) return variable == pattern;
  return variable.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
}

bool sets_start_variable(const model::Job& job, const model::Runtime& runtime) {
  return std::ranges::any_of(job.env, [&runtime](const auto& variable) {
    return std::ranges::any_of(runtime.start_variables,
                               [&variable](const std::string& pattern) { return matches(variable.first, pattern); });
  });
}

}  // namespace

JobRunner::JobRunner(const Tools& tools, std::uint64_t compile_cache_bytes)
    : tools_(tools), compiler_(tools.jailer, compile_cache_bytes) {}

bool JobRunner::cancel(const std::string& job_id, std::string_view tenant) {
  const auto found = by_id_.find(job_id);
  if (found == by_id_.end() || (!tenant.empty() && found->second.tenant != tenant)) return false;
  found->second.cancellation->cancel(run::CancelReason::kRequested);
  return true;
}

asio::awaitable<model::Outcome> JobRunner::run(const model::Job& job, Catalogue::Entry found,
                                               run::Attendance attendance, SlotLease slot,
                                               std::chrono::microseconds waited) {
  RunTale tale(tools_.run_log, job, job.received_at);
  if (found.installed->runtime.compile.command.empty()) {
    model::Outcome outcome = co_await run_program(job, found, attendance, std::move(slot), waited, tale);
    co_return outcome;
  }
  const model::InstalledRuntime& installed = *found.installed;
  const std::string key = compile_key(job, installed);
  std::shared_ptr<const Compiled> compiled = compiler_.find(key);
  const bool cached = compiled != nullptr;
  std::string job_id = job.job_id;
  if (!cached) {
    // Compilers read what strangers wrote: from here on the job has a row, and can be cancelled.
    if (job_id.empty()) job_id = base::new_job_id();
    const std::string command = joined(found.installed->runtime.command);
    begin(job_id, command, tale, attendance);
    by_id_[job_id] = {job.tenant_id, &attendance.cancellation};
    Compiler::Result result =
        co_await compiler_.compile(key, job, installed, found.jailer_index, attendance.cancellation);
    by_id_.erase(job_id);
    if (!result.compiled) {
      result.outcome.job_id = job_id;
      result.outcome.queue_time = waited;
      finish(result.outcome, command, job, tale);
      co_return std::move(result.outcome);
    }
    compiled = std::move(result.compiled);
  }
  if (attendance.follower != nullptr) attendance.follower->compiled(compiled->report);
  model::Job program = Compiler::program(job, *compiled);
  program.job_id = std::move(job_id);  // once it has one, its jail must bear it
  model::Outcome outcome = co_await run_program(program, found, attendance, std::move(slot), waited, tale);
  outcome.compile = compiled->report;
  outcome.compile->cached = cached;
  co_return outcome;
}

asio::awaitable<model::Outcome> JobRunner::run_program(const model::Job& job, Catalogue::Entry found,
                                                       run::Attendance attendance, SlotLease slot,
                                                       std::chrono::microseconds waited, RunTale& tale) {
  std::string cold_id = job.job_id.empty() ? base::new_job_id() : job.job_id;
  auto found_jail = co_await obtain_jail(job, found, cold_id);
  // A jailer that died meanwhile had run nothing of it: another may do so, but no job gets a third.
  if (!found_jail && found_jail.error().step == jailer::kJailerDied) {
    const base::Status another = co_await tools_.gate.pass(attendance.cancellation);
    if (another) found_jail = co_await obtain_jail(job, found, cold_id);
  }
  if (!found_jail) {
    model::Outcome failed = failed_to_build(job, std::move(cold_id), found_jail.error(), waited, tale);
    co_return failed;
  }
  jailer::Jail& jail = found_jail->jail;
  const std::string job_id = jail.job_id;
  const std::uint64_t handle = jail.handle;
  const std::string command = joined(found.installed->runtime.command);
  if (!tale.begun()) begin(job_id, command, tale, attendance);
  by_id_[job_id] = {job.tenant_id, &attendance.cancellation};
  const wire::JobCard card{job_id,     job.tenant_id,   job.language, command, std::chrono::system_clock::now(),
                           job.limits, jail.cgroup_path};
  // Written while the program starts, not before it may.
  std::function<void()> write_card = [this, &card] { tools_.records.begin(card); };
  model::Outcome outcome = co_await run::execute(tools_.jailer, std::move(jail), std::move(found_jail->listener), job,
                                                 found.installed->runtime, attendance, std::move(write_card));
  by_id_.erase(job_id);
  outcome.queue_time = waited;
  finish(outcome, command, job, tale);
  tools_.tasks.spawn(clean_up(handle, job_id, std::move(slot)));
  co_return outcome;
}

// Before a byte of the caller's is handed to anybody: from here on the job has a row, and who follows it its id.
void JobRunner::begin(const std::string& job_id, const std::string& command, RunTale& tale,
                      run::Attendance attendance) {
  tale.begin(job_id, command, tools_.jailer.cgroup_driver());
  if (attendance.follower != nullptr) attendance.follower->started(job_id);
}

void JobRunner::finish(model::Outcome& outcome, const std::string& command, const model::Job& job, RunTale& tale) {
  tale.end(outcome);
  tools_.records.end(outcome, command, tools_.jailer.cgroup_driver(), job.attempt);
}

// No process is left when the caller is answered; the groups go meanwhile. The slot is free only when they have.
asio::awaitable<void> JobRunner::clean_up(std::uint64_t handle, std::string job_id, SlotLease slot) {
  const SlotLease held = std::move(slot);
  if (const base::Status gone = co_await tools_.jailer.destroy(handle); !gone && tools_.jailer.alive()) {
    base::log(base::Level::kError, "jail_left_behind", {{"job_id", job_id}, {"error", gone.error().text()}});
  }
  tools_.primed.refill();
}

model::Outcome JobRunner::failed_to_build(const model::Job& job, std::string job_id, const base::Error& error,
                                          std::chrono::microseconds waited, RunTale& tale) {
  base::log(base::Level::kError, "jail_not_built", {{"job_id", job_id}, {"error", error.text()}});
  model::Outcome outcome;
  outcome.job_id = std::move(job_id);
  outcome.tenant_id = job.tenant_id;
  outcome.language = job.language;
  outcome.limits = job.limits;
  outcome.started_at = outcome.ended_at = std::chrono::system_clock::now();
  outcome.cause = {error.step, error.text()};
  outcome.queue_time = waited;
  outcome.files = run::lost_files(job);
  finish(outcome, {}, job, tale);
  return outcome;
}

// A primed jail where one fits, which has an id already, else one built now under `cold_id`. A queued job has an id
// of its own, which its control group must bear: it takes none of those kept ready for callers who wait.
asio::awaitable<base::Result<run::PrimedJail>> JobRunner::obtain_jail(const model::Job& job, Catalogue::Entry found,
                                                                      std::string cold_id) {
  // What is started already can't be started another way, nor with another stdio.
  const bool as_started = !job.terminal && !sets_start_variable(job, found.installed->runtime);
  if (as_started) {
    if (job.job_id.empty()) {
      if (auto primed = tools_.primed.take(found.jailer_index, job.limits)) co_return std::move(*primed);
    }
  }
  const bool forks = as_started && tools_.jailer.forks(found.jailer_index);
  const jailer::Fork fork = forks ? jailer::Fork::kYes : jailer::Fork::kNo;
  const jailer::Stdio stdio = job.terminal ? jailer::Stdio::kTerminal : jailer::Stdio::kPipes;
  auto jail = co_await tools_.jailer.build(cold_id, found.jailer_index, job.limits, fork, stdio);
  // A template that can't serve at the moment is no reason not to run the job: an interpreter is started for it.
  if (!jail && forks && tools_.jailer.alive()) {
    base::log(base::Level::kWarn, "template_passed_over", {{"job_id", cold_id}, {"error", jail.error().text()}});
    jail = co_await tools_.jailer.build(cold_id, found.jailer_index, job.limits, jailer::Fork::kNo);
  }
  if (!jail) co_return std::unexpected(jail.error());
  run::PrimedJail cold{std::move(*jail), {}};
  co_return cold;
}

}  // namespace outrigger::pool
