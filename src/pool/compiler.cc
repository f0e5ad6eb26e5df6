#include "pool/compiler.h"

#include <algorithm>

#include "base/ids.h"
#include "base/log.h"
#include "run/execute.h"

namespace outrigger::pool {
namespace asio = boost::asio;
namespace {

using model::Outcome;
using model::Status;

constexpr model::CollectCaps kArtifactCaps{1024, 64ULL << 20};
constexpr std::uint64_t kPage = 4096;

model::Job step_job(const model::Job& job, const model::CompileStep& step) {
  model::Job out;
  out.tenant_id = job.tenant_id;
  out.language = job.language;
  out.code = job.code;
  out.files = job.files;
  out.limits = step.limits;
  // What the job may bring must fit here too.
  out.limits.tmpfs_bytes = std::max(step.limits.tmpfs_bytes, job.limits.tmpfs_bytes);
  out.collect = step.artifacts;
  out.collect_caps = kArtifactCaps;
  return out;
}

model::Runtime step_runtime(const model::Runtime& runtime) {
  model::Runtime out = runtime;
  out.command = runtime.compile.command;
  out.env.insert(out.env.end(), runtime.compile.env.begin(), runtime.compile.env.end());
  out.compile = {};
  return out;
}

model::CompileReport report_of(Outcome& outcome) {
  model::CompileReport report;
  report.status = outcome.status;
  report.exit_code = outcome.exit_code;
  report.signal = outcome.signal;
  report.cause = outcome.cause;
  report.stdout_stream = std::exchange(outcome.stdout_stream, {});
  report.stderr_stream = std::exchange(outcome.stderr_stream, {});
  report.wall_time = outcome.wall_time;
  report.cpu_time = outcome.usage.cpu_time;
  report.peak_memory_bytes = outcome.usage.peak_memory_bytes;
  return report;
}

// A step that has ended well must have made a program, and one that has room where it is to run. Else it has failed
// with this sentence.
std::string artifact_fault(const Outcome& outcome, const model::Job& job) {
  std::uint64_t needed = 0;
  for (const model::CollectedFile& file : outcome.files) {
    if (file.error) return file.path + " " + file.error->text;
    needed += (file.content.size() + kPage - 1) / kPage * kPage;
  }
  if (outcome.files.empty()) return "no program was made";
  for (const model::InputFile& file : job.files) needed += (file.content.size() + kPage - 1) / kPage * kPage;
  if (needed <= job.limits.tmpfs_bytes) return {};
  return "the program and the job's files need " + std::to_string(needed) + " bytes, more than limits.tmpfs_bytes (" +
         std::to_string(job.limits.tmpfs_bytes) + ")";
}

void fail(Outcome& outcome, std::string why) {
  outcome.status = Status::kFailed;
  outcome.exit_code = 1;
  outcome.cause = {"artifacts", std::move(why)};
}

// The step's own ending becomes the job's. Who asked for the end, and what is Outrigger's fault, stays what it is.
void make_jobs_own(Outcome& outcome, const model::Job& job) {
  const bool is_ours = outcome.status == Status::kInternalError || outcome.status == Status::kCancelled;
  outcome.compile = report_of(outcome);
  outcome.cause = {is_ours ? outcome.cause.code : "compile", "compiling: " + outcome.cause.text};
  outcome.limits = job.limits;
  outcome.files = run::lost_files(job);
  // Its output is the step's.
  std::erase_if(outcome.security_events, [](const auto& event) { return event.type == "output_truncated"; });
}

std::vector<model::InputFile> artifacts_of(Outcome& outcome) {
  std::vector<model::InputFile> artifacts;
  for (model::CollectedFile& file : outcome.files) {
    artifacts.push_back({std::move(file.path), std::move(file.content), file.mode});
  }
  return artifacts;
}

}  // namespace

asio::awaitable<Compiler::Result> Compiler::compile(const std::string& key, const model::Job& job,
                                                    const model::InstalledRuntime& installed, std::uint32_t runtime,
                                                    run::Cancellation& cancellation) {
  const model::Job step = step_job(job, installed.runtime.compile);
  const model::Runtime as_step = step_runtime(installed.runtime);
  Result result;
  auto jail = co_await jailer_.build(base::new_job_id(), runtime, step.limits, jailer::Fork::kNo);
  if (!jail) {
    result.outcome.tenant_id = job.tenant_id;
    result.outcome.language = job.language;
    result.outcome.started_at = result.outcome.ended_at = std::chrono::system_clock::now();
    result.outcome.cause = {jail.error().step, jail.error().text()};
    make_jobs_own(result.outcome, job);
    co_return result;
  }
  const std::uint64_t handle = jail->handle;
  std::function<void()> nothing = [] {};
  result.outcome = co_await run::execute(jailer_, std::move(*jail), {}, step, as_step, cancellation, nothing);
  if (const base::Status gone = co_await jailer_.destroy(handle); !gone && jailer_.alive()) {
    base::log(base::Level::kError, "compile_jail_left_behind", {{"error", gone.error().text()}});
  }
  Outcome& outcome = result.outcome;
  if (outcome.status == Status::kCompleted) {
    if (std::string fault = artifact_fault(outcome, job); !fault.empty()) fail(outcome, std::move(fault));
  }
  if (outcome.status != Status::kCompleted) {
    make_jobs_own(outcome, job);
    co_return result;
  }
  Compiled compiled{report_of(outcome), artifacts_of(outcome)};
  result.compiled = std::make_shared<const Compiled>(std::move(compiled));
  cache_.add(key, result.compiled);
  co_return result;
}

model::Job Compiler::program(const model::Job& job, const Compiled& compiled) {
  model::Job out = job;
  out.code.clear();
  out.compiled = true;
  std::erase_if(out.files, [&compiled](const model::InputFile& file) {
    return std::ranges::find(compiled.artifacts, file.path, &model::InputFile::path) != compiled.artifacts.end();
  });
  out.files.insert(out.files.end(), compiled.artifacts.begin(), compiled.artifacts.end());
  return out;
}

}  // namespace outrigger::pool
