#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <set>

#include "jailer/client.h"
#include "pool/catalogue.h"
#include "pool/jailer_gate.h"
#include "pool/job_records.h"
#include "pool/job_runner.h"
#include "pool/make_pool.h"
#include "pool/primed_jails.h"
#include "pool/slots.h"
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

class PoolImpl final : public Pool {
 public:
  PoolImpl(asio::io_context& context, jailer::Started started, std::vector<model::InstalledRuntime> runtimes,
           PoolOptions options)
      : acquire_timeout_(options.acquire_timeout),
        most_of_tenant_(std::move(options.most_of_tenant)),
        catalogue_(std::move(runtimes)),
        counters_(catalogue_.available()),
        jailer_(context.get_executor(), std::move(started)),
        gate_(context.get_executor(), jailer_, options.acquire_timeout),
        slots_(context.get_executor(), options.slots, options.max_waiting, options.queued_slots),
        run_log_(options.run_log),
        records_(std::move(options.jobs_dir), std::move(options.terminations_dir)),
        primed_(context.get_executor(), jailer_, catalogue_.available(),
                {options.default_limits, options.primed_memory_bytes}),
        tasks_(context.get_executor()),
        runner_({jailer_, gate_, primed_, records_, run_log_, tasks_}, options.compile_cache_bytes) {
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
    const auto found = catalogue_.find(job.language);
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
    model::Outcome outcome = co_await runner_.run(job, *found, attendance, std::move(*slot), waited);
    running_.erase(&cancellation);
    // What a compile step took is no more the daemon's doing than what the program takes.
    const bool compiled_now =
        outcome.compile && outcome.compile->status == model::Status::kCompleted && !outcome.compile->cached;
    const auto compiling = compiled_now ? outcome.compile->wall_time : std::chrono::microseconds{0};
    counters_.add(found->installed->runtime.name, outcome, waited + since(began) - compiling, job.origin);
    co_return outcome;
  }

  bool cancel(const std::string& job_id, std::string_view tenant) override { return runner_.cancel(job_id, tenant); }

  [[nodiscard]] std::size_t spare_slots() const override { return slots_.spare(); }
  void on_spare_slots(std::function<void()> handler) override { slots_.on_spare(std::move(handler)); }

  [[nodiscard]] const std::vector<model::InstalledRuntime>& runtimes() const override { return catalogue_.all(); }

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

  std::chrono::milliseconds acquire_timeout_;
  std::function<std::uint32_t(std::string_view tenant)> most_of_tenant_;
  Catalogue catalogue_;
  JobCounters counters_;
  jailer::Client jailer_;
  JailerGate gate_;
  Slots slots_;
  audit::RunLog* run_log_;
  JobRecords records_;
  PrimedJails primed_;
  DispatchState dispatch_;
  std::set<run::Cancellation*> running_;
  run::TaskGroup tasks_;
  JobRunner runner_;
};

}  // namespace

std::unique_ptr<Pool> make_pool(asio::io_context& context, jailer::Started started,
                                std::vector<model::InstalledRuntime> runtimes, PoolOptions options) {
  return std::make_unique<PoolImpl>(context, std::move(started), std::move(runtimes), std::move(options));
}

}  // namespace outrigger::pool
