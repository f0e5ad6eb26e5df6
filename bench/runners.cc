#include "runners.h"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "base/ids.h"
#include "jailer/client.h"
#include "pool/make_pool.h"
#include "run/execute.h"

namespace outrigger::bench {
namespace {

namespace asio = boost::asio;
using Outcome = base::Result<model::Outcome>;

constexpr std::chrono::milliseconds kGrace{2000};

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

class DirectRunner final : public Runner {
 public:
  DirectRunner(asio::io_context& context, jailer::Started started, const model::InstalledRuntime& runtime)
      : jailer_(context.get_executor(), std::move(started)), runtime_(runtime.runtime) {
    asio::co_spawn(context, jailer_.run(), [](const std::exception_ptr& failure) {
      if (failure) std::rethrow_exception(failure);
    });
  }
  asio::awaitable<Outcome> run(const model::Job& job) override {
    auto jail = co_await jailer_.build(base::new_job_id(), 0, job.limits, jailer::Fork::kNo);
    if (!jail) co_return std::unexpected(jail.error());
    const std::uint64_t handle = jail->handle;
    run::Cancellation never;
    model::Outcome outcome = co_await run::execute(jailer_, std::move(*jail), {}, job, runtime_, never, [] {});
    jailer_.discard(handle);  // as the daemon does it: no process is left, and the groups go meanwhile
    co_return outcome;
  }
  asio::awaitable<void> close() override { co_await jailer_.close(); }

 private:
  jailer::Client jailer_;
  model::Runtime runtime_;
};

}  // namespace

std::unique_ptr<Runner> make_pool_runner(asio::io_context& context, jailer::Started started,
                                         const model::InstalledRuntime& runtime) {
  return std::make_unique<PoolRunner>(context, std::move(started), runtime);
}

std::unique_ptr<Runner> make_direct_runner(asio::io_context& context, jailer::Started started,
                                           const model::InstalledRuntime& runtime) {
  return std::make_unique<DirectRunner>(context, std::move(started), runtime);
}

}  // namespace outrigger::bench
