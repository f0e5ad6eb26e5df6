#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <csignal>
#include <exception>
#include <optional>

#include "base/log.h"
#include "cli/answer.h"
#include "cli/local_runtime.h"
#include "cli/rights.h"
#include "config/load.h"
#include "jailer/start.h"
#include "pool/make_pool.h"
#include "wire/execute_request.h"
#include "wire/outcome_json.h"

namespace outrigger::cli {
namespace {

namespace asio = boost::asio;
using base::Result;

// A job that was cancelled has ended when this has passed, or its jailer is closed under it.
constexpr std::chrono::seconds kGrace{2};

wire::ErrorBody body_of(const base::Error& error, std::string_view remedy = {}) {
  return {std::string(base::code_name(error.code)), error.text() + std::string(remedy), ""};
}

// Through the very parser that serves the API, so that what a daemon would refuse is refused here too.
std::expected<model::Job, wire::ErrorBody> checked_job(const RunOptions& options, const Program& program,
                                                       const config::Config& config, model::OutputEncoding encoding) {
  wire::RequestRules rules;
  rules.defaults = config.default_limits;
  rules.ceilings = config.limit_ceilings;
  auto job = wire::parse_execute_request(request_body(options, program, encoding), rules);
  if (!job) return std::unexpected(wire::ErrorBody{"invalid_request", job.error().message, job.error().field});
  // No JSON lies between us and the jail: what is not UTF-8 need not be repaired.
  job->code = program.code;
  job->stdin_data = program.stdin_data;
  return std::move(*job);
}

Result<jailer::Started> start_jailer(const config::Config& config, const model::InstalledRuntime& runtime) {
  const auto directory = config::executable_directory();
  jailer::StartOptions options;
  options.program = (directory / "outrigger-jailer").string();
  options.sandbox_init = (directory / "sandbox_init").string();
  options.uid_base = config.jail.uid_base;
  options.slots = 1;
  options.cgroup_root = config.jail.cgroup_root;
  options.ceilings = config.limit_ceilings;
  options.runtimes = {runtime};
  return jailer::start(options);
}

// A guest that closes its stdin, or a jailer that dies, is an error to be told, not our death. Only while a job runs:
// our own output may well end with the reader.
class BrokenPipesIgnored {
 public:
  BrokenPipesIgnored() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~BrokenPipesIgnored() { static_cast<void>(std::signal(SIGPIPE, before_)); }
  BrokenPipesIgnored(const BrokenPipesIgnored&) = delete;
  BrokenPipesIgnored& operator=(const BrokenPipesIgnored&) = delete;

 private:
  void (*before_)(int);
};

// Writes output on a thread of its own: a terminal that stands still would keep the watchdog from its work. Whoever
// reads no more ends the job.
class LocalFollower final : public run::Follower {
 public:
  LocalFollower(asio::io_context& context, run::Cancellation& cancellation)
      : context_(context), cancellation_(cancellation) {}

  void started(const std::string& /*job_id*/) override {}
  void wrote(run::Stream stream, std::string_view bytes) override {
    asio::post(writer_, [this, stream, kept = std::string(bytes)] {
      if (failed_ || output_.write(stream, kept)) return;
      failed_ = true;
      asio::post(context_, [this] { cancellation_.cancel(run::CancelReason::kClientLeft); });
    });
  }
  // When all is written. Nobody may write any more.
  Told finish() {
    writer_.join();
    return output_.told();
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  asio::io_context& context_;
  run::Cancellation& cancellation_;
  LiveOutput output_;
  bool failed_ = false;  // of the thread, until finish()
  asio::thread_pool writer_{1};
};

// All that is pointed to outlives the coroutine: execute() below runs the context to its end.
asio::awaitable<void> run_and_close(pool::Pool* pool, model::Job job, run::Attendance attendance,
                                    asio::signal_set* signals, std::optional<Result<model::Outcome>>* into) {
  auto outcome = co_await pool->execute(std::move(job), attendance);
  *into = std::move(outcome);
  signals->cancel();
  co_await pool->shut_down(kGrace);
}

Result<Answer> execute(jailer::Started started, const model::InstalledRuntime& runtime, model::Job job, bool streamed) {
  asio::io_context context{1};
  pool::PoolOptions options;
  options.slots = 1;
  const auto pool = pool::make_pool(context, std::move(started), {runtime}, std::move(options));
  run::Cancellation cancellation;
  asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&cancellation](boost::system::error_code error, int) {
    if (!error) cancellation.cancel(run::CancelReason::kRequested);
  });
  std::optional<LocalFollower> follower;
  if (streamed) follower.emplace(context, cancellation);
  const run::Attendance attendance(cancellation, follower ? &*follower : nullptr);
  std::optional<Result<model::Outcome>> outcome;
  asio::co_spawn(context, run_and_close(pool.get(), std::move(job), attendance, &signals, &outcome),
                 [](const std::exception_ptr& thrown) {
                   if (thrown) std::rethrow_exception(thrown);
                 });
  context.run();
  signals.clear();  // a terminal that stands still must not make Ctrl-C deaf
  std::optional<Told> told;
  if (follower) told = follower->finish();
  if (follower && follower->failed()) return base::failure(base::Code::kSystem, "write_output", "stdout takes no more");
  if (!outcome) return base::failure(base::Code::kInternal, "run", "the run ended without a result");
  if (!*outcome) return std::unexpected(outcome->error());
  return Answer{{}, std::move(**outcome), told};
}

}  // namespace

Answered run_local(const RunOptions& options, const Program& program, model::OutputEncoding encoding, bool streamed) {
  base::set_log_level(base::Level::kWarn);  // stderr is the program's: that its job has ended shows without a line
  config::LoadOptions load_options;
  load_options.paths = options.paths;
  const auto config = config::load(load_options);
  if (!config) return std::unexpected(body_of(config.error()));
  auto job = checked_job(options, program, *config, encoding);
  if (!job) return std::unexpected(job.error());
  const auto runtime = find_runtime(config->paths, job->language);
  if (!runtime) return std::unexpected(runtime.error());
  if (const std::string missing = missing_capabilities(); !missing.empty()) {
    return std::unexpected(wire::ErrorBody{
        "unsupported", "a local jail needs root (missing " + missing + "): use sudo, or a daemon (--server)", ""});
  }
  const BrokenPipesIgnored ignored;
  auto started = start_jailer(*config, *runtime);
  if (!started) return std::unexpected(body_of(started.error(), "; `outrigger doctor` tells what this machine lacks"));
  auto answer = execute(std::move(*started), *runtime, std::move(*job), streamed);
  if (!answer) return std::unexpected(body_of(answer.error()));
  answer->json = wire::outcome_to_json(answer->outcome, encoding);
  return std::move(*answer);
}

}  // namespace outrigger::cli
