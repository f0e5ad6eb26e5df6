#include "queue/runner.h"

#include <algorithm>
#include <utility>

#include "base/back_off.h"
#include "base/log.h"
#include "pool/language.h"
#include "pool/run_tale.h"
#include "wire/job_status.h"
#include "wire/outcome_json.h"

namespace outrigger::queue {
namespace {

namespace asio = boost::asio;

// What has kept one job from running (no jailer, no room for its row) would keep the next one too.
constexpr std::chrono::milliseconds kReluctance{500};

std::string_view code_of(base::Code code) {
  switch (code) {
    case base::Code::kTooLarge: return "payload_too_large";
    case base::Code::kUnsupported: return "unsupported";
    case base::Code::kNotFound: return "runtime_unavailable";
    default: return "invalid_request";
  }
}

wire::Rejected about(const model::Job& job) { return {job.job_id, job.tenant_id, job.annotation}; }

wire::ErrorBody body_of(const wire::RequestError& error) {
  return {std::string(code_of(error.code)), error.message, error.field};
}

}  // namespace

Runner::Runner(const asio::any_io_executor& executor, pool::ExecutionService& service, audit::RunLog* log, Line& line,
               Callbacks& callbacks, RunnerOptions options)
    : service_(service),
      log_(log),
      line_(line),
      callbacks_(callbacks),
      options_(std::move(options)),
      sleeper_(executor) {}

void Runner::stop(std::chrono::milliseconds limit) {
  give_up_at_ = std::chrono::steady_clock::now() + limit;
  sleeper_.wake();
}

std::chrono::milliseconds Runner::reluctance() const {
  const auto left = not_before_ - std::chrono::steady_clock::now();
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds{0});
}

asio::awaitable<void> Runner::run(store::TakenJob taken) {
  const store::RunningJob job{taken.job_id, taken.attempt};
  in_flight_.add(job.job_id, job.attempt);
  auto request = wire::parse_queue_entry(taken.entry, options_.rules);
  Ending ending;
  if (request) {
    ending = co_await run_request(std::move(*request), std::move(taken));
  } else {
    ending = rejected({taken.job_id, wire::tenant_of(taken.entry), wire::annotation_of(taken.entry)}, request.error());
  }
  co_await settle(job, std::move(ending));
}

asio::awaitable<Runner::Ending> Runner::run_request(wire::QueuedRequest request, store::TakenJob taken) {
  model::Job& job = request.job;
  job.attempt = taken.attempt;
  Ending ending;
  if (const auto fault = pool::settle_language(job, service_.runtimes())) {
    const base::Code code = fault->unavailable ? base::Code::kNotFound : base::Code::kInvalid;
    ending = rejected(about(job), {code, fault->field, fault->message});
    co_return ending;
  }
  if (!request.callback_url.empty()) {
    if (std::string refusal = callbacks_.refusal(request.callback_url); !refusal.empty()) {
      ending = rejected(about(job), {base::Code::kInvalid, "callback_url", std::move(refusal)});
      co_return ending;
    }
  }
  if (taken.cancelled) {
    job.attempt = taken.attempt > 0 ? taken.attempt - 1 : 0;
    ending = end_without_run(job, model::Status::kCancelled, {"cancelled", "cancelled before it was begun"});
  } else if (taken.attempt > options_.max_attempts) {
    job.attempt = options_.max_attempts;
    ending = end_without_run(job, model::Status::kInternalError,
                             {"attempts_exhausted", "given up after " + std::to_string(options_.max_attempts) +
                                                        " attempts; the last: " + taken.last_failure});
    ending.way = Ending::Way::kBury;
    ending.reason = "given up after " + std::to_string(options_.max_attempts) + " attempts: " + taken.last_failure;
  } else {
    run::Cancellation cancellation;
    in_flight_.begin(job.job_id, cancellation);
    const base::Result<model::Outcome> outcome = co_await service_.execute(job, cancellation);
    in_flight_.ended(job.job_id);
    const bool shutting_down = closing_ && cancellation.reason() != run::CancelReason::kRequested;
    if (outcome) {
      ending = end_of(*outcome, job, shutting_down);
    } else if (outcome.error().code == base::Code::kCancelled) {
      job.attempt -= 1;
      ending = end_without_run(job, model::Status::kCancelled, {"cancelled", "cancelled before it was begun"});
    } else {
      ending = {Ending::Way::kGiveBack, {}, outcome.error().text(), false, false, {}};
      not_before_ = std::chrono::steady_clock::now() + kReluctance;
    }
  }
  ending.callback_url = std::move(request.callback_url);
  ending.traceparent = std::move(job.traceparent);
  co_return ending;
}

Runner::Ending Runner::end_of(const model::Outcome& outcome, const model::Job& job, bool shutting_down) const {
  Ending ending;
  ending.has_row = true;
  const bool ours = outcome.status == model::Status::kInternalError;
  if (shutting_down && (ours || outcome.status == model::Status::kCancelled)) {
    return {Ending::Way::kGiveBack, {}, "the daemon shut down", false, true, {}};
  }
  if (ours && job.attempt < options_.max_attempts) {
    return {Ending::Way::kGiveBack, {}, outcome.cause.text, true, true, {}};
  }
  ending.result = wire::job_result_json(outcome, job, options_.node);
  if (ours) {
    ending.way = Ending::Way::kBury;
    ending.reason = "given up after " + std::to_string(job.attempt) + " attempts: " + outcome.cause.text;
  }
  return ending;
}

Runner::Ending Runner::end_without_run(model::Job job, model::Status status, model::Cause cause) const {
  model::Outcome outcome;
  outcome.job_id = job.job_id;
  outcome.tenant_id = job.tenant_id;
  outcome.language = job.language;
  outcome.limits = job.limits;
  outcome.status = status;
  if (status == model::Status::kCancelled) {
    outcome.exit_code = 137;
    outcome.signal = "SIGKILL";
  }
  outcome.cause = std::move(cause);
  outcome.started_at = outcome.ended_at = std::chrono::system_clock::now();
  if (job.received_at == std::chrono::system_clock::time_point{}) job.received_at = outcome.started_at;
  pool::RunTale tale(log_, job, job.received_at);
  tale.end(outcome);
  Ending ending;
  ending.has_row = true;
  ending.result = wire::job_result_json(outcome, job, options_.node);
  return ending;
}

Runner::Ending Runner::rejected(const wire::Rejected& rejected, const wire::RequestError& error) const {
  return {Ending::Way::kBury, wire::rejection_json(rejected, body_of(error)), error.message, false, false, {}};
}

// A call that failed may have been done all the same; then the next one finds the job final.
asio::awaitable<bool> Runner::made_final(store::RunningJob job) {
  auto look = [id = job.job_id](store::JobQueue& queue) { return queue.look(id); };
  const auto view = co_await line_.ask(std::move(look));
  if (!view) co_return false;
  const bool is_final = view->state == store::JobState::kFinished || view->state == store::JobState::kDead;
  co_return is_final && view->worker == options_.worker && view->attempt == job.attempt;
}

asio::awaitable<void> Runner::settle(store::RunningJob job, Ending ending) {
  const bool gives_back = ending.way == Ending::Way::kGiveBack;
  if (!gives_back && !ending.callback_url.empty()) {
    Callback callback{ending.callback_url, ending.traceparent, ending.result};
    co_await callbacks_.prepare(job.job_id, std::move(callback));
  }
  base::BackOff back_off;
  bool uncertain = false;
  bool settled = false;
  bool kept = false;
  bool given_back = false;
  while (!settled) {
    auto tell = [&job, &ending, lifetime = options_.result_lifetime](store::JobQueue& queue) {
      switch (ending.way) {
        case Ending::Way::kFinish: return queue.finish(job, ending.result, lifetime);
        case Ending::Way::kBury: return queue.bury(job, ending.reason, ending.result, lifetime);
        case Ending::Way::kGiveBack: break;
      }
      return queue.give_back(job, ending.reason, ending.counts);
    };
    const auto answer = co_await line_.ask(std::move(tell));
    if (answer) {
      settled = true;
      kept = !gives_back && *answer == store::Settled::kFinal;
      given_back = gives_back && *answer == store::Settled::kFinal;
      if (!kept && !gives_back && uncertain) kept = co_await made_final(job);
    } else {
      uncertain = true;
      if (std::chrono::steady_clock::now() >= give_up_at_) break;
      co_await sleeper_.sleep(back_off.next());
    }
  }
  const bool cancelled = in_flight_.remove(job.job_id);
  if (!settled) co_return;
  if (log_ != nullptr && ending.has_row) log_->settle(job.job_id, kept);
  if (!gives_back && !ending.callback_url.empty()) callbacks_.decide(job.job_id, kept);
  if (given_back && cancelled) co_await cancel_given_back(job.job_id);
}

// Somebody cancelled it while it was on its way back, and was told that it will end so.
asio::awaitable<void> Runner::cancel_given_back(std::string job_id) {
  auto cancel = [job_id](store::JobQueue& queue) { return queue.cancel(job_id); };
  auto found = co_await line_.ask(std::move(cancel));
  if (!found) co_return;
  if (auto* taken = std::get_if<store::TakenJob>(&*found)) co_await run(std::move(*taken));
}

asio::awaitable<void> Runner::settle_recovered(model::RunRecord record) {
  const std::string job_id = record.outcome.job_id;
  base::BackOff back_off;
  while (std::chrono::steady_clock::now() < give_up_at_) {
    auto look = [job_id](store::JobQueue& queue) { return queue.look(job_id); };
    const auto view = co_await line_.ask(std::move(look));
    if (view) {
      const bool ours = view->worker == options_.worker && wire::result_attempt(view->result) == record.attempt;
      if (log_ != nullptr) log_->settle(job_id, ours);
      co_return;
    }
    co_await sleeper_.sleep(back_off.next());
  }
}

}  // namespace outrigger::queue
