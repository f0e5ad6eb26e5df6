#include "queue/dispatcher.h"

#include <utility>

#include "base/back_off.h"
#include "base/ids.h"
#include "base/log.h"

namespace outrigger::queue {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// How long a look for jobs waits for one; only bounds how late a call for the end is heard.
constexpr std::chrono::milliseconds kTakeWait = 2s;

std::string_view state_name(store::JobState state) {
  switch (state) {
    case store::JobState::kRunning: return "running";
    case store::JobState::kFinished: return "finished";
    case store::JobState::kDead: return "dead";
    case store::JobState::kQueued:
    case store::JobState::kUnknown: break;
  }
  return "queued";
}

// A job, and whose it is: an entry is large, and not read on the event loop.
struct Seen {
  store::JobView view;
  std::string tenant;
};

base::Error unavailable(const base::Error& error) {
  base::log(base::Level::kWarn, "queue_unavailable", {{"error", error.text()}});
  return {"queue", base::Code::kUnavailable, 0, "the queue can't be reached at the moment"};
}

std::expected<store::Identified, std::string> identify(std::string_view raw) {
  auto named = wire::name_queue_entry(raw, base::new_job_id());
  if (!named) return std::unexpected(std::move(named.error()));
  return store::Identified{std::move(named->job_id), std::move(named->entry)};
}

}  // namespace

Dispatcher::Dispatcher(const asio::any_io_executor& executor, pool::ExecutionService& service, audit::RunLog* log,
                       std::unique_ptr<store::JobQueue> queue, std::unique_ptr<store::Outbox> outbox,
                       Callbacks& callbacks, DispatcherOptions options)
    : service_(service),
      callbacks_(callbacks),
      options_(std::move(options)),
      queue_(std::move(queue)),
      line_(*queue_),
      runner_(executor, service, log, line_, callbacks, options_.runner),
      promises_(executor, line_, std::move(outbox), options_.lease),
      sleeper_(executor),
      spare_(executor),
      tasks_(executor),
      keepers_(executor) {}

void Dispatcher::start(std::vector<model::RunRecord> held) {
  service_.on_spare_slots([this] { spare_.wake(); });
  for (model::RunRecord& record : held) tasks_.spawn(runner_.settle_recovered(std::move(record)));
  keepers_.spawn(take_jobs());
  keepers_.spawn(keep_lease());
  keepers_.spawn(promises_.look_after());
  callbacks_.start(line_);
}

void Dispatcher::stop_taking() {
  sleeper_.stop();
  spare_.stop();
  promises_.stop();
  callbacks_.stop();
  runner_.stop_running();
  line_.interrupt();
}

asio::awaitable<void> Dispatcher::drain(std::chrono::milliseconds limit) {
  runner_.stop(limit);
  line_.close_at(std::chrono::steady_clock::now() + limit);
  co_await tasks_.join();
  co_await keepers_.join();
  co_await callbacks_.join();
}

void Dispatcher::begin(store::TakenJob taken) { tasks_.spawn(runner_.run(std::move(taken))); }

asio::awaitable<void> Dispatcher::take_jobs() {
  base::BackOff back_off;
  while (!sleeper_.stopped()) {
    if (const auto reluctance = runner_.reluctance(); reluctance.count() > 0) {
      co_await sleeper_.sleep(reluctance);
      continue;
    }
    const std::size_t spare = service_.spare_slots();
    if (spare == 0) {
      co_await spare_.sleep(kTakeWait);
      continue;
    }
    auto taken = co_await line_.take(spare, kTakeWait, identify);
    if (!taken) {
      co_await sleeper_.sleep(back_off.next());
      continue;
    }
    back_off.reset();
    for (store::TakenJob& job : *taken) begin(std::move(job));
  }
}

asio::awaitable<void> Dispatcher::keep_lease() {
  while (!sleeper_.stopped()) {
    co_await renew_and_recover();
    co_await sleeper_.sleep(options_.lease / 3);
  }
}

asio::awaitable<void> Dispatcher::renew_and_recover() {
  const std::vector<store::RunningJob> running = runner_.in_flight().all();
  auto renew = [running](store::JobQueue& queue) { return queue.renew(running); };
  const auto holdings = co_await line_.ask(std::move(renew));
  if (!holdings) co_return;
  for (std::size_t i = 0; i < running.size() && i < holdings->size(); ++i) {
    if ((*holdings)[i] == store::Holding::kOurs) continue;
    // Lost: another has it or has ended it, and what this one would find out nobody wants to know.
    if ((*holdings)[i] == store::Holding::kLost) {
      base::log(base::Level::kWarn, "queued_job_lost", {{"job_id", running[i].job_id}});
    }
    runner_.in_flight().cancel(running[i].job_id);
  }
  const auto recovered = co_await line_.ask([](store::JobQueue& queue) { return queue.recover(); });
  if (recovered && *recovered > 0) {
    base::log(base::Level::kWarn, "queued_jobs_recovered", {{"jobs", std::to_string(*recovered)}});
  }
  const auto depth = co_await line_.ask([](store::JobQueue& queue) { return queue.depth(); });
  if (depth) depth_ = *depth;
}

asio::awaitable<base::Result<std::string>> Dispatcher::submit(std::string body, wire::EntryNotes notes) {
  std::string job_id = base::new_job_id();
  store::Submission job{job_id, wire::queue_entry(body, job_id, std::chrono::system_clock::now(), notes)};
  const base::Status kept = co_await promises_.keep(std::move(job));
  if (!kept) co_return std::unexpected(unavailable(kept.error()));
  co_return job_id;
}

asio::awaitable<base::Result<wire::JobStatus>> Dispatcher::look(std::string job_id) {
  wire::JobStatus status{job_id, "queued", 0, false, {}, {}, {}};
  const bool unsent = promises_.is_unsent(job_id);
  auto ask = [job_id](store::JobQueue& queue) -> base::Result<Seen> {
    auto view = queue.look(job_id);
    if (!view) return std::unexpected(std::move(view.error()));
    std::string tenant = wire::tenant_of(view->result.empty() ? view->entry : view->result);
    return Seen{std::move(*view), std::move(tenant)};
  };
  auto seen = co_await line_.ask(std::move(ask));
  const bool known = seen && seen->view.state != store::JobState::kUnknown;
  if (!known && unsent) {
    status.tenant_id = wire::tenant_of(co_await promises_.entry_of(job_id));
    co_return status;
  }
  if (!seen) co_return std::unexpected(unavailable(seen.error()));
  store::JobView* view = &seen->view;
  status.tenant_id = std::move(seen->tenant);
  if (!known) co_return base::failure(base::Code::kNotFound, "queue", "no queued job is known by this id");
  status.state = state_name(view->state);
  status.attempt = view->attempt;
  status.cancel_requested = view->cancel_requested;
  status.worker = std::move(view->worker);
  status.result = std::move(view->result);
  status.entry = std::move(view->entry);
  co_return status;
}

asio::awaitable<base::Result<Cancelled>> Dispatcher::cancel(std::string job_id) {
  if (runner_.in_flight().cancel(job_id)) co_return Cancelled::kUnderWay;
  auto ask = [job_id](store::JobQueue& queue) { return queue.cancel(job_id); };
  auto found = co_await line_.ask(std::move(ask));
  if (!found) co_return std::unexpected(unavailable(found.error()));
  if (auto* taken = std::get_if<store::TakenJob>(&*found)) {
    begin(std::move(*taken));
    co_return Cancelled::kUnderWay;
  }
  switch (std::get<store::JobState>(*found)) {
    case store::JobState::kFinished:
    case store::JobState::kDead: co_return Cancelled::kEnded;
    case store::JobState::kQueued:
    case store::JobState::kRunning: runner_.in_flight().cancel_early(job_id); co_return Cancelled::kUnderWay;
    case store::JobState::kUnknown: break;
  }
  co_return Cancelled::kUnknown;
}

QueueState Dispatcher::state() const {
  return {options_.driver,   line_.trouble(), depth_.waiting, depth_.running, depth_.dead, runner_.in_flight().size(),
          promises_.unsent()};
}

}  // namespace outrigger::queue
