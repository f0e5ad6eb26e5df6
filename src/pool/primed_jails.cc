#include "pool/primed_jails.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/ids.h"
#include "base/log.h"

namespace outrigger::pool {
namespace asio = boost::asio;
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Without demand the target sinks by one in this time.
constexpr auto kCalm = 60s;
constexpr auto kCalmEnough = 1s;
constexpr auto kAfterFailure = 5s;
// Where its template is just being made: after the death of one, or of a jailer.
constexpr auto kUntilTemplate = 500ms;
constexpr auto kHold = 5ms;
constexpr std::size_t kUrgent = 2;
// A whole core while the interpreter starts; its job gets its own share (jailer::Client::arm).
constexpr double kPrimingCores = 1.0;

model::Limits priming_limits(const model::Runtime& runtime, model::Limits limits) {
  if (runtime.strategy == model::Strategy::kPreload) limits.cpu_cores = kPrimingCores;
  return limits;
}

}  // namespace

PrimedJails::PrimedJails(const asio::any_io_executor& executor, jailer::Client& jailer,
                         std::vector<const model::Runtime*> runtimes, Options options)
    : jailer_(jailer), options_(options), timers_() {
  for (std::size_t i = 0; i < kMakers; ++i) timers_.emplace_back(executor);
  for (const model::Runtime* runtime : runtimes) {
    const std::size_t target = options_.memory_budget > 0 ? runtime->primed.min : 0;
    Shelf shelf{runtime, {}, target, 0, 0, 0, 0, Clock::now(), Clock::now()};
    shelves_.push_back(std::move(shelf));
  }
}

// What a jail is made with is not changed any more, but for its bandwidth, which take() sets. Output and wall clock are
// only the daemon's to watch.
bool PrimedJails::serves(const model::Limits& limits) const {
  const model::Limits& ours = options_.limits;
  return limits.memory_bytes == ours.memory_bytes && limits.pids == ours.pids &&
         limits.tmpfs_bytes == ours.tmpfs_bytes && limits.cpu_time == ours.cpu_time;
}

std::optional<run::PrimedJail> PrimedJails::take(std::uint32_t runtime, const model::Limits& limits) {
  Shelf& shelf = shelves_.at(runtime);
  if (options_.memory_budget == 0 || shelf.runtime->primed.max == 0 || !serves(limits)) return std::nullopt;
  // What is built now would compete with the job for the processors, unless none is left for the next.
  if (shelf.ready.size() > kUrgent) hold_until_ = Clock::now() + kHold;
  wake();
  while (!shelf.ready.empty()) {
    run::PrimedJail primed = std::move(shelf.ready.front());
    shelf.ready.pop_front();
    if (!run::is_untouched(primed) || !jailer_.lives(primed.jail.handle)) {
      base::log(base::Level::kWarn, "primed_jail_discarded", {{"runtime", shelf.runtime->name}});
      jailer_.discard(primed.jail.handle);
      continue;
    }
    ++shelf.hits;
    const double made_with = priming_limits(*shelf.runtime, options_.limits).cpu_cores;
    if (limits.cpu_cores != made_with) jailer_.arm(primed.jail.handle, limits.cpu_cores);
    return primed;
  }
  ++shelf.misses;
  shelf.last_miss = Clock::now();
  shelf.target = std::min<std::size_t>(shelf.target + 1, shelf.runtime->primed.max);
  return std::nullopt;
}

std::uint64_t PrimedJails::memory_in_use() const {
  std::uint64_t sum = 0;
  for (const Shelf& shelf : shelves_) sum += (shelf.ready.size() + shelf.making) * shelf.bytes_each;
  return sum;
}

void PrimedJails::calm_down(Shelf& shelf) {
  const auto now = Clock::now();
  if (options_.memory_budget == 0 || shelf.target <= shelf.runtime->primed.min || now - shelf.last_miss < kCalm) return;
  --shelf.target;
  shelf.last_miss = now;
}

// Of those below their target, and within the budget, the one that has the smallest part of it.
std::optional<std::uint32_t> PrimedJails::neediest() {
  std::optional<std::uint32_t> chosen;
  double least = 1.0;
  for (std::uint32_t i = 0; i < shelves_.size(); ++i) {
    Shelf& shelf = shelves_[i];
    calm_down(shelf);
    if (shelf.target == 0 || shelf.not_before > Clock::now()) continue;
    if (memory_in_use() + shelf.bytes_each > options_.memory_budget) continue;
    const double part = static_cast<double>(shelf.ready.size() + shelf.making) / static_cast<double>(shelf.target);
    if (part >= least) continue;
    least = part;
    chosen = i;
  }
  return chosen;
}

asio::awaitable<void> PrimedJails::make_one(std::uint32_t index) {
  Shelf& shelf = shelves_[index];
  const model::Limits limits = priming_limits(*shelf.runtime, options_.limits);
  // Warming up takes as much from the processors as it saves a job: not while jobs come faster than jails.
  const bool calm = Clock::now() - shelf.last_miss > kCalmEnough;
  const jailer::Fork forked = calm ? jailer::Fork::kWarmUp : jailer::Fork::kYes;
  const jailer::Fork fork = jailer_.forks(index) ? forked : jailer::Fork::kNo;
  auto jail = co_await jailer_.build(base::new_job_id(), index, limits, fork);
  base::Error error;
  if (jail) {
    const std::uint64_t handle = jail->handle;
    auto primed = co_await run::prime(std::move(*jail), *shelf.runtime, limits.cpu_time);
    if (!jailer_.lives(handle)) co_return;  // it ends with its jailer, by no fault of its runtime's
    if (primed) {
      const sys::Counters counters = sys::read_counters(primed->jail.group);
      shelf.bytes_each = counters.memory_current.value_or(0);
      shelf.ready.push_back(std::move(*primed));
      co_return;
    }
    error = primed.error();
    (void)co_await jailer_.destroy(handle);
  } else {
    error = jail.error();
    if (error.step == jailer::kJailerDied) co_return;
  }
  const bool no_template = error.step == "template";
  shelf.not_before = Clock::now() + (no_template ? kUntilTemplate : kAfterFailure);
  if (!stopping_ && !no_template)
    base::log(base::Level::kError, "priming_failed", {{"runtime", shelf.runtime->name}, {"error", error.text()}});
}

asio::awaitable<void> PrimedJails::run(std::size_t maker) {
  asio::steady_timer& timer = timers_.at(maker);
  while (!stopping_) {
    const bool held = Clock::now() < hold_until_;
    const auto index = held || !jailer_.alive() ? std::nullopt : neediest();
    if (index) {
      ++shelves_[*index].making;
      co_await make_one(*index);
      --shelves_[*index].making;
      continue;
    }
    timer.expires_at(held ? hold_until_ : Clock::now() + 1s);
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  for (Shelf& shelf : shelves_)
    shelf.ready.clear();  // closing their sockets ends the jails; the jailer removes what is left of them when it ends
}

void PrimedJails::wake() {
  for (auto& timer : timers_) timer.cancel();
}

void PrimedJails::jailer_changed() {
  for (Shelf& shelf : shelves_) {
    if (!jailer_.alive()) shelf.ready.clear();
    shelf.not_before = {};
  }
  wake();
}

void PrimedJails::refill() {
  hold_until_ = {};
  wake();
}

void PrimedJails::stop() {
  stopping_ = true;
  wake();
}

std::vector<PrimedState> PrimedJails::state() const {
  std::vector<PrimedState> all;
  for (const Shelf& shelf : shelves_) {
    all.push_back({shelf.runtime->name, shelf.ready.size(), shelf.target, shelf.hits, shelf.misses,
                   shelf.ready.size() * shelf.bytes_each});
  }
  return all;
}

}  // namespace outrigger::pool
