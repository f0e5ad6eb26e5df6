#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "jailer/client.h"
#include "model/limits.h"
#include "model/runtime.h"
#include "pool/pool.h"
#include "run/prime.h"

namespace outrigger::pool {

// Jails kept ready for the jobs to come, of each runtime between its min and its max: a miss raises the target, a quiet
// minute lowers it. All of them together stay within a memory budget. Made a few at a time, beside the requests and
// never in one's way: a job that finds none builds its own. Single-threaded.
class PrimedJails {
 public:
  struct Options {
    model::Limits limits;  // what they are built with: only jobs that ask for just these can use them
    std::uint64_t memory_budget = 0;
  };

  // `runtimes` as the jailer knows them: by index. Both must outlive this.
  PrimedJails(const boost::asio::any_io_executor& executor, jailer::Client& jailer,
              std::vector<const model::Runtime*> runtimes, Options options);

  // One that is ready and whole, for a job with these limits; nothing where there is none.
  std::optional<run::PrimedJail> take(std::uint32_t runtime, const model::Limits& limits);

  // The jailer has died, and all of them with it; or another is there to make them again.
  void jailer_changed();

  // Now is a good time to replace what was taken: a job has ended.
  void refill();

  // Keep them ready until stop(); each to be spawned once, and waited for. More than one, since most of the time that
  // an interpreter takes to start is not this process's.
  static constexpr std::size_t kMakers = 2;
  boost::asio::awaitable<void> run(std::size_t maker);
  void stop();

  [[nodiscard]] std::vector<PrimedState> state() const;

 private:
  struct Shelf {
    const model::Runtime* runtime;
    std::list<run::PrimedJail> ready;
    std::size_t target = 0;
    std::size_t making = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t bytes_each = 0;  // measured at the last one that was made
    std::chrono::steady_clock::time_point last_miss;
    std::chrono::steady_clock::time_point not_before;  // after a failure
  };

  [[nodiscard]] bool serves(const model::Limits& limits) const;
  [[nodiscard]] std::optional<std::uint32_t> neediest();
  [[nodiscard]] std::uint64_t memory_in_use() const;
  boost::asio::awaitable<void> make_one(std::uint32_t index);
  void calm_down(Shelf& shelf);

  jailer::Client& jailer_;
  Options options_;
  std::vector<Shelf> shelves_;
  void wake();

  std::vector<boost::asio::steady_timer> timers_;  // one a maker
  std::chrono::steady_clock::time_point hold_until_{};
  bool stopping_ = false;
};

}  // namespace outrigger::pool
