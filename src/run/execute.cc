#include "run/execute.h"

#include <boost/asio/this_coro.hpp>

#include "run/harvest.h"
#include "run/supervision.h"
#include "run/verdict.h"

namespace outrigger::run {
namespace asio = boost::asio;

asio::awaitable<model::Outcome> execute(jailer::Client& jailer, jailer::Jail jail, base::UniqueFd listener,
                                        const model::Job& job, const model::Runtime& runtime, Attendance attendance,
                                        std::function<void()> handed_over) {
  const auto executor = co_await asio::this_coro::executor;
  model::Outcome outcome;
  outcome.job_id = jail.job_id;
  outcome.tenant_id = job.tenant_id;
  outcome.language = job.language;
  outcome.limits = job.limits;
  outcome.started_at = std::chrono::system_clock::now();

  Supervision supervision(executor, jailer, std::move(jail), std::move(listener), job, runtime, attendance,
                          std::move(handed_over));
  co_await supervision.run();

  const Evidence evidence = supervision.evidence();
  Verdict verdict = decide(evidence);
  outcome.ended_at = std::chrono::system_clock::now();
  outcome.status = verdict.status;
  outcome.exit_code = verdict.exit_code;
  outcome.signal = std::move(verdict.signal);
  outcome.cause = std::move(verdict.cause);
  outcome.security_events = std::move(verdict.events);
  outcome.usage = evidence.usage;
  outcome.wall_time = supervision.wall_time();
  outcome.stdout_stream = supervision.take_stdout();
  outcome.stderr_stream = supervision.take_stderr();
  outcome.files = supervision.take_files();
  co_return outcome;
}

std::vector<model::CollectedFile> lost_files(const model::Job& job) { return Harvest(job.collect).finish(false); }

}  // namespace outrigger::run
