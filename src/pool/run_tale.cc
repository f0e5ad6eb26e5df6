#include "pool/run_tale.h"

#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"
#include "digest/digest.h"
#include "pool/job_log.h"
#include "wire/trace_context.h"

namespace outrigger::pool {
namespace {

// The outcome without its outputs, which may be large and are none of the trail's business.
model::Outcome without_outputs(model::Outcome& outcome) {
  std::string out = std::exchange(outcome.stdout_stream.data, {});
  std::string err = std::exchange(outcome.stderr_stream.data, {});
  std::vector<model::CollectedFile> files = std::exchange(outcome.files, {});
  std::optional<model::CompileReport> compile = std::exchange(outcome.compile, {});
  model::Outcome copy = outcome;
  outcome.stdout_stream.data = std::move(out);
  outcome.stderr_stream.data = std::move(err);
  outcome.files = std::move(files);
  outcome.compile = std::move(compile);
  return copy;
}

}  // namespace

RunTale::RunTale(audit::RunLog* log, const model::Job& job, std::chrono::system_clock::time_point received_at)
    : log_(log), job_(job) {
  if (log_ == nullptr) return;
  record_.code_sha256 = digest::sha256_hex(job.code);
  record_.code_bytes = job.code.size();
  record_.origin = job.origin;
  record_.attempt = job.attempt;
  record_.received_at = received_at;
  record_.trace_id = wire::trace_id_of(job.traceparent);
}

void RunTale::begin(const std::string& job_id, const std::string& command, const std::string& cgroup_driver) {
  begun_ = true;
  if (log_ == nullptr) return;
  record_.command = command;
  record_.cgroup_driver = cgroup_driver;
  model::Outcome& outcome = record_.outcome;
  outcome.job_id = job_id;
  outcome.tenant_id = job_.tenant_id;
  outcome.language = job_.language;
  outcome.limits = job_.limits;
  outcome.started_at = std::chrono::system_clock::now();
  log_->begin(record_);
}

void RunTale::end(model::Outcome& outcome) {
  base::log(base::Level::kInfo, "job_ended", ending_fields(job_, outcome));
  if (log_ == nullptr) return;
  record_.outcome = without_outputs(outcome);
  if (job_.origin == model::Origin::kQueue) {
    log_->hold(std::move(record_));
  } else {
    log_->end(std::move(record_));
  }
}

}  // namespace outrigger::pool
