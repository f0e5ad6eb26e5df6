// The jail around /bin/true through the library, without a daemon: the way of `outrigger run --local`, and cold: each
// round builds a jail from nothing, runs one job in it and ends when nothing of the jail is left. The jailer runs
// before the first round, as it does in a daemon.
//
// jail_true [--direct] BIN_DIR IMAGE_DIR
//   --direct   without the pool. A request over HTTP for the same job, less this, is the daemon's own share: HTTP
//              and JSON and pool.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "rounds.h"
#include "runners.h"

namespace outrigger::bench {
namespace {

namespace asio = boost::asio;
using Outcome = base::Result<model::Outcome>;

constexpr std::uint32_t kUidBase = 1900000000;  // the default of jail.uid_base; running daemons lease other ids of it

// Runs the event loop until `work` has ended, and no longer: the connection to the jailer keeps it busy for ever.
void run_until_done(asio::io_context& context, asio::awaitable<void> work) {
  bool done = false;
  asio::co_spawn(context, std::move(work), [&done](const std::exception_ptr& failure) {
    if (failure) std::rethrow_exception(failure);
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

// The jailer starts in another directory than ours.
std::string absolute(const char* path) { return std::filesystem::absolute(path).string(); }

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
  runtime.image_path = absolute(rest[1]);
  auto started = jailer::start(start_options(absolute(rest[0]), runtime));
  if (!started) {
    std::cerr << started.error().text() << '\n';
    return 1;
  }
  model::Job job;
  job.tenant_id = "bench";
  job.language = "true";
  job.code = "-";  // laid into the jail as its source file, as any program is
  asio::io_context context(1);
  const auto make = direct ? make_direct_runner : make_pool_runner;
  const std::unique_ptr<Runner> runner = make(context, std::move(*started), runtime);
  const int status = serve(Round([&] { return one_round(context, *runner, job); }));
  run_until_done(context, runner->close());
  return status;
}

}  // namespace
}  // namespace outrigger::bench

int main(int argc, char** argv) { return outrigger::bench::run({argv, static_cast<std::size_t>(argc)}); }
