#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <set>

#include "base/ids.h"
#include "base/log.h"
#include "jailer/client.h"
#include "model/runtime_name.h"
#include "pool/compiler.h"
#include "pool/jailer_gate.h"
#include "pool/job_records.h"
#include "pool/make_pool.h"
#include "pool/primed_jails.h"
#include "pool/run_tale.h"
#include "pool/slots.h"
#include "run/execute.h"
#include "run/task_group.h"

namespace outrigger::pool {
namespace asio = boost::asio;
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::system_clock;

// A killed job is gone in milliseconds; this only bounds a shutdown on a machine in trouble.
constexpr std::chrono::milliseconds kKillGrace{10'000};

std::chrono::microseconds since(Clock::time_point then) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - then);
}

// A queued job's time goes from its submission, by the clock that other machines have too.
std::chrono::microseconds queued_for(const model::Job& job) {
  const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(system_clock::now() - job.received_at);
  return std::max(waited, std::chrono::microseconds{0});
}

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

class PoolImpl final : public Pool {
 public:
  PoolImpl(asio::io_context& context, jailer::Started started, std::vector<model::InstalledRuntime> runtimes,
           PoolOptions options)
      : acquire_timeout_(options.acquire_timeout),
        most_of_tenant_(std::move(options.most_of_tenant)),
        runtimes_(std::move(runtimes)),
        installed_(with_images(runtimes_)),
        available_(runtimes_of(installed_)),
        counters_(available_),
        jailer_(context.get_executor(), std::move(started)),
        compiler_(jailer_, options.compile_cache_bytes),
        gate_(context.get_executor(), jailer_, options.acquire_timeout),
        slots_(context.get_executor(), options.slots, options.max_waiting, options.queued_slots),
        run_log_(options.run_log),
        records_(std::move(options.jobs_dir), std::move(options.terminations_dir)),
        primed_(context.get_executor(), jailer_, available_, {options.default_limits, options.primed_memory_bytes}),
        tasks_(context.get_executor()) {
    jailer_.on_change([this] {
      primed_.jailer_changed();
      gate_.look_again();
    });
    tasks_.spawn(jailer_.run());
    for (std::size_t maker = 0; maker < PrimedJails::kMakers; ++maker) tasks_.spawn(primed_.run(maker));
    for (const model::RunRecord& record : options.unreported) records_.report_late(record);
  }

  asio::awaitable<base::Result<model::Outcome>> execute(model::Job job, run::Attendance attendance) override {
    const auto arrival = Clock::now();
    run::Cancellation& cancellation = attendance.cancellation;
    if (job.received_at == system_clock::time_point{}) job.received_at = system_clock::now();
    const std::optional<Found> found = find(job.language);
    if (!found) co_return base::failure(base::Code::kNotFound, "find_runtime", "no runtime is named " + job.language);
    if (run_log_ != nullptr) {
      if (const base::Status admitted = run_log_->admit(); !admitted) co_return std::unexpected(admitted.error());
    }
    auto slot = co_await acquire_slot(job, cancellation);
    if (!slot) co_return std::unexpected(slot.error());

    running_.insert(&cancellation);
    if (!jailer_.alive()) {
      const base::Status passed = co_await gate_.pass(cancellation);
      if (!passed) running_.erase(&cancellation);
      if (!passed) co_return std::unexpected(passed.error());
    }
    const auto waited = job.origin == model::Origin::kQueue ? queued_for(job) : since(arrival);
    const auto began = Clock::now();
    model::Outcome outcome = co_await run_in_jail(job, *found, attendance, std::move(*slot), waited);
    running_.erase(&cancellation);
    // What a compile step took is no more the daemon's doing than what the program takes.
    const bool compiled_now =
        outcome.compile && outcome.compile->status == model::Status::kCompleted && !outcome.compile->cached;
    const auto compiling = compiled_now ? outcome.compile->wall_time : std::chrono::microseconds{0};
    counters_.add(found->runtime->name, outcome, waited + since(began) - compiling, job.origin);
    co_return outcome;
  }

  bool cancel(const std::string& job_id, std::string_view tenant) override {
    const auto found = by_id_.find(job_id);
    if (found == by_id_.end() || (!tenant.empty() && found->second.tenant != tenant)) return false;
    found->second.cancellation->cancel(run::CancelReason::kRequested);
    return true;
  }

  [[nodiscard]] std::size_t spare_slots() const override { return slots_.spare(); }
  void on_spare_slots(std::function<void()> handler) override { slots_.on_spare(std::move(handler)); }

  [[nodiscard]] const std::vector<model::InstalledRuntime>& runtimes() const override { return runtimes_; }

  [[nodiscard]] PoolState state() const override {
    return {slots_.count(),     slots_.used(), slots_.waiting(), jailer_.alive(),  jailer_.cgroup_driver(),
            records_.trouble(), dispatch_,     primed_.state(),  jailer_.trouble()};
  }

  [[nodiscard]] const JobCounters& job_counters() const override { return counters_; }

  void set_dispatch(DispatchState dispatch) override {
    dispatch_ = std::move(dispatch);
    slots_.hold_spare(dispatch_.paused);
  }

  asio::awaitable<void> shut_down(std::chrono::milliseconds grace) override {
    slots_.close();
    gate_.close();
    primed_.stop();
    if (!co_await slots_.wait_idle(grace)) {
      for (run::Cancellation* one : std::set(running_)) one->cancel(run::CancelReason::kShuttingDown);
      co_await slots_.wait_idle(kKillGrace);
    }
    co_await jailer_.close();
    co_await tasks_.join();
  }

 private:
  struct Running {
    std::string tenant;
    run::Cancellation* cancellation;
  };
  struct Found {
    const model::Runtime* runtime;
    std::uint32_t jailer_index;  // among those with an image, which are the ones the jailer knows
  };

  [[nodiscard]] std::optional<Found> find(const std::string& language) const {
    for (std::uint32_t index = 0; index < available_.size(); ++index) {
      if (model::has_name(*available_[index], language)) return Found{available_[index], index};
    }
    return std::nullopt;
  }

  [[nodiscard]] Slots::Claim claim_of(const model::Job& job) const {
    std::size_t bytes = job.code.size() + job.stdin_data.size();
    for (const model::InputFile& file : job.files) bytes += file.content.size();
    return {job.tenant_id, most_of_tenant_ ? most_of_tenant_(job.tenant_id) : 0, bytes};
  }

  asio::awaitable<base::Result<SlotLease>> acquire_slot(const model::Job& job, run::Cancellation& cancellation) {
    if (job.origin == model::Origin::kQueue) {
      auto spare = co_await slots_.acquire_spare(claim_of(job), cancellation);
      co_return spare;
    }
    if (dispatch_.paused) co_return base::failure(base::Code::kPaused, "dispatch", dispatch_.reason);
    auto slot = co_await slots_.acquire(claim_of(job), acquire_timeout_, cancellation);
    if (!slot && slot.error().code == base::Code::kExhausted) ++counters_.exhausted;
    // The pause may have come while this request was waiting.
    if (slot && dispatch_.paused) co_return base::failure(base::Code::kPaused, "dispatch", dispatch_.reason);
    co_return slot;
  }

  asio::awaitable<model::Outcome> run_in_jail(const model::Job& job, Found found, run::Attendance attendance,
                                              SlotLease slot, std::chrono::microseconds waited) {
    RunTale tale(run_log_, job, job.received_at);
    if (found.runtime->compile.command.empty()) {
      model::Outcome outcome = co_await run_program(job, found, attendance, std::move(slot), waited, tale);
      co_return outcome;
    }
    const model::InstalledRuntime& installed = *installed_[found.jailer_index];
    const std::string key = compile_key(job, installed);
    std::shared_ptr<const Compiled> compiled = compiler_.find(key);
    const bool cached = compiled != nullptr;
    std::string job_id = job.job_id;
    if (!cached) {
      // Compilers read what strangers wrote: from here on the job has a row, and can be cancelled.
      if (job_id.empty()) job_id = base::new_job_id();
      const std::string command = joined(found.runtime->command);
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

  asio::awaitable<model::Outcome> run_program(const model::Job& job, Found found, run::Attendance attendance,
                                              SlotLease slot, std::chrono::microseconds waited, RunTale& tale) {
    std::string cold_id = job.job_id.empty() ? base::new_job_id() : job.job_id;
    auto found_jail = co_await obtain_jail(job, found.jailer_index, cold_id);
    // A jailer that died meanwhile had run nothing of it: another may do so, but no job gets a third.
    if (!found_jail && found_jail.error().step == jailer::kJailerDied) {
      const base::Status another = co_await gate_.pass(attendance.cancellation);
      if (another) found_jail = co_await obtain_jail(job, found.jailer_index, cold_id);
    }
    if (!found_jail) {
      model::Outcome failed = failed_to_build(job, std::move(cold_id), found_jail.error(), waited, tale);
      co_return failed;
    }
    jailer::Jail& jail = found_jail->jail;
    const std::string job_id = jail.job_id;
    const std::uint64_t handle = jail.handle;
    const std::string command = joined(found.runtime->command);
    if (!tale.begun()) begin(job_id, command, tale, attendance);
    by_id_[job_id] = {job.tenant_id, &attendance.cancellation};
    const wire::JobCard card{job_id,     job.tenant_id,   job.language, command, std::chrono::system_clock::now(),
                             job.limits, jail.cgroup_path};
    // Written while the program starts, not before it may.
    std::function<void()> write_card = [this, &card] { records_.begin(card); };
    model::Outcome outcome = co_await run::execute(jailer_, std::move(jail), std::move(found_jail->listener), job,
                                                   *found.runtime, attendance, std::move(write_card));
    by_id_.erase(job_id);
    outcome.queue_time = waited;
    finish(outcome, command, job, tale);
    tasks_.spawn(clean_up(handle, job_id, std::move(slot)));
    co_return outcome;
  }

  // Before a byte of the caller's is handed to anybody: from here on the job has a row, and who follows it its id.
  void begin(const std::string& job_id, const std::string& command, RunTale& tale, run::Attendance attendance) {
    tale.begin(job_id, command, jailer_.cgroup_driver());
    if (attendance.follower != nullptr) attendance.follower->started(job_id);
  }

  void finish(model::Outcome& outcome, const std::string& command, const model::Job& job, RunTale& tale) {
    tale.end(outcome);
    records_.end(outcome, command, jailer_.cgroup_driver(), job.attempt);
  }

  // No process is left when the caller is answered; the groups go meanwhile. The slot is free only when they have.
  asio::awaitable<void> clean_up(std::uint64_t handle, std::string job_id, SlotLease slot) {
    const SlotLease held = std::move(slot);
    if (const base::Status gone = co_await jailer_.destroy(handle); !gone && jailer_.alive()) {
      base::log(base::Level::kError, "jail_left_behind", {{"job_id", job_id}, {"error", gone.error().text()}});
    }
    primed_.refill();
  }

  model::Outcome failed_to_build(const model::Job& job, std::string job_id, const base::Error& error,
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

  static std::vector<const model::InstalledRuntime*> with_images(const std::vector<model::InstalledRuntime>& all) {
    std::vector<const model::InstalledRuntime*> found;
    for (const model::InstalledRuntime& one : all) {
      if (!one.image_path.empty()) found.push_back(&one);
    }
    return found;
  }
  static std::vector<const model::Runtime*> runtimes_of(const std::vector<const model::InstalledRuntime*>& installed) {
    std::vector<const model::Runtime*> found;
    for (const model::InstalledRuntime* one : installed) found.push_back(&one->runtime);
    return found;
  }

  // A primed jail where one fits, which has an id already, else one built now under `cold_id`. A queued job has an id
  // of its own, which its control group must bear: it takes none of those kept ready for callers who wait.
  asio::awaitable<base::Result<run::PrimedJail>> obtain_jail(const model::Job& job, std::uint32_t runtime,
                                                             std::string cold_id) {
    // What is started already can't be started another way, nor with another stdio.
    const bool as_started = !job.terminal && !sets_start_variable(job, *available_[runtime]);
    if (as_started) {
      if (job.job_id.empty()) {
        if (auto primed = primed_.take(runtime, job.limits)) co_return std::move(*primed);
      }
    }
    const bool forks = as_started && jailer_.forks(runtime);
    const jailer::Fork fork = forks ? jailer::Fork::kYes : jailer::Fork::kNo;
    const jailer::Stdio stdio = job.terminal ? jailer::Stdio::kTerminal : jailer::Stdio::kPipes;
    auto jail = co_await jailer_.build(cold_id, runtime, job.limits, fork, stdio);
    // A template that can't serve at the moment is no reason not to run the job: an interpreter is started for it.
    if (!jail && forks && jailer_.alive()) {
      base::log(base::Level::kWarn, "template_passed_over", {{"job_id", cold_id}, {"error", jail.error().text()}});
      jail = co_await jailer_.build(cold_id, runtime, job.limits, jailer::Fork::kNo);
    }
    if (!jail) co_return std::unexpected(jail.error());
    run::PrimedJail cold{std::move(*jail), {}};
    co_return cold;
  }

  std::chrono::milliseconds acquire_timeout_;
  std::function<std::uint32_t(std::string_view tenant)> most_of_tenant_;
  std::vector<model::InstalledRuntime> runtimes_;
  std::vector<const model::InstalledRuntime*> installed_;  // those with an image, by the jailer's index
  std::vector<const model::Runtime*> available_;           // of these
  JobCounters counters_;
  jailer::Client jailer_;
  Compiler compiler_;
  JailerGate gate_;
  Slots slots_;
  audit::RunLog* run_log_;
  JobRecords records_;
  PrimedJails primed_;
  DispatchState dispatch_;
  std::set<run::Cancellation*> running_;
  std::map<std::string, Running> by_id_;  // those that have a jail
  run::TaskGroup tasks_;
};

}  // namespace

std::unique_ptr<Pool> make_pool(asio::io_context& context, jailer::Started started,
                                std::vector<model::InstalledRuntime> runtimes, PoolOptions options) {
  return std::make_unique<PoolImpl>(context, std::move(started), std::move(runtimes), std::move(options));
}

}  // namespace outrigger::pool
