// The jail around /bin/true through the library, without a daemon: the way of `outrigger run --local`, and cold: each
// round builds a jail from nothing, runs one job in it and ends when nothing of the jail is left. The jailer runs before
// the first round, as it does in a daemon.
//
// jail_true [--direct] BIN_DIR IMAGE_DIR
//   --direct   without the pool: jailer, supervision and verdict alone. A request over HTTP for the same job, less this, is
//              the daemon's own share: HTTP, JSON, pool.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/ids.h"
#include "jailer/client.h"
#include "pool/make_pool.h"
#include "rounds.h"
#include "run/execute.h"

namespace outrigger::bench {
namespace {

namespace asio = boost::asio;
using Outcome = base::Result<model::Outcome>;

constexpr std::uint32_t kUidBase = 1900000000;  // the default of jail.uid_base; running daemons lease other ids of it
constexpr std::chrono::milliseconds kGrace{2000};

// What runs a job; the pool, or what lies below it.
class Runner {
 public:
  virtual ~Runner() = default;
  virtual asio::awaitable<Outcome> run(const model::Job& job) = 0;
  virtual asio::awaitable<void> close() = 0;
};

class PoolRunner final : public Runner {
 public:
  PoolRunner(asio::io_context& context, jailer::Started started, const model::InstalledRuntime& runtime) {
    pool::PoolOptions options;
    options.slots = 1;
    pool_ = pool::make_pool(context, std::move(started), {runtime}, std::move(options));
  }
  asio::awaitable<Outcome> run(const model::Job& job) override {
    run::Cancellation never;
    auto outcome = co_await pool_->execute(job, never);
    co_return outcome;
  }
  asio::awaitable<void> close() override { co_await pool_->shut_down(kGrace); }

 private:
  std::unique_ptr<pool::Pool> pool_;
};

void rethrow(const std::exception_ptr& failure) {
  if (failure) std::rethrow_exception(failure);
}

class DirectRunner final : public Runner {
 public:
  DirectRunner(asio::io_context& context, jailer::Started started, const model::InstalledRuntime& runtime)
      : jailer_(context.get_executor(), std::move(started)), runtime_(runtime.runtime) {
    asio::co_spawn(context, jailer_.run(), rethrow);
  }
  asio::awaitable<Outcome> run(const model::Job& job) override {
    auto jail = co_await jailer_.build(base::new_job_id(), 0, job.limits);
    if (!jail) co_return std::unexpected(jail.error());
    const std::uint64_t handle = jail->handle;
    run::Cancellation never;
    model::Outcome outcome = co_await run::execute(jailer_, std::move(*jail), job, runtime_, never);
    const base::Status gone = co_await jailer_.destroy(handle);
    if (!gone) co_return std::unexpected(gone.error());
    co_return outcome;
  }
  asio::awaitable<void> close() override { co_await jailer_.close(); }

 private:
  jailer::Client jailer_;
  model::Runtime runtime_;
};

// Runs the event loop until `work` has ended, and no longer: the connection to the jailer keeps it busy for ever.
void run_until_done(asio::io_context& context, asio::awaitable<void> work) {
  bool done = false;
  asio::co_spawn(context, std::move(work), [&done](const std::exception_ptr& failure) {
    rethrow(failure);
    done = true;
  });
  while (!done) context.run_one();
}

asio::awaitable<void> run_into(Runner* runner, const model::Job* job, std::optional<Outcome>* into) {
  Outcome outcome = co_await runner->run(*job);
  into->emplace(std::move(outcome));
}

base::Result<Nanoseconds> one_round(asio::io_context& context, Runner& runner, const model::Job& job) {
  std::optional<Outcome> outcome;
  const auto begin = Clock::now();
  run_until_done(context, run_into(&runner, &job, &outcome));
  const Nanoseconds took = Clock::now() - begin;
  if (!*outcome) return std::unexpected((*outcome).error());
  if ((*outcome)->status != model::Status::kCompleted) {
    return base::failure(base::Code::kInternal, (*outcome)->cause.code, (*outcome)->cause.text);
  }
  return took;
}

jailer::StartOptions start_options(const std::string& bin_dir, const model::InstalledRuntime& runtime) {
  jailer::StartOptions options;
  options.program = bin_dir + "/outrigger-jailer";
  options.sandbox_init = bin_dir + "/sandbox_init";
  options.uid_base = kUidBase;
  options.slots = 1;
  options.runtimes = {runtime};
  return options;
}

int run(std::span<char*> arguments) {
  const bool direct = arguments.size() > 1 && std::string(arguments[1]) == "--direct";
  const auto rest = arguments.subspan(direct ? 2 : 1);
  if (rest.size() != 2) {
    std::cerr << "usage: jail_true [--direct] BIN_DIR IMAGE_DIR\n";
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  model::InstalledRuntime runtime;
  runtime.runtime.name = "true";
  runtime.runtime.source_file = "main";
  runtime.runtime.command = {"/bin/true"};
  runtime.image_path = rest[1];
  auto started = jailer::start(start_options(rest[0], runtime));
  if (!started) {
    std::cerr << started.error().text() << '\n';
    return 1;
  }
  model::Job job;
  job.tenant_id = "bench";
  job.language = "true";
  job.code = "-";
  asio::io_context context(1);
  std::unique_ptr<Runner> runner;
  if (direct) {
    runner = std::make_unique<DirectRunner>(context, std::move(*started), runtime);
  } else {
    runner = std::make_unique<PoolRunner>(context, std::move(*started), runtime);
  }
  const int status = serve(Round([&] { return one_round(context, *runner, job); }));
  run_until_done(context, runner->close());
  return status;
}

}  // namespace
}  // namespace outrigger::bench

int main(int argc, char** argv) { return outrigger::bench::run({argv, static_cast<std::size_t>(argc)}); }
