#include <string>
#include <vector>

#include "cli/print.h"
#include "cli/remote.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "wire/run_record.h"
#include "wire/time_text.h"

namespace outrigger::cli {
namespace {

std::string milliseconds(std::chrono::microseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string mebibytes(const std::optional<std::uint64_t>& bytes) {
  if (!bytes) return "-";
  const std::uint64_t tenths = (*bytes * 10 + (1U << 19)) >> 20;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::vector<std::string> row_of(const model::RunRecord& run) {
  const model::Outcome& outcome = run.outcome;
  return {wire::time_text(outcome.started_at).substr(0, 19) + "Z",
          outcome.job_id,
          outcome.tenant_id,
          outcome.language,
          std::string(model::status_name(outcome.status)),
          milliseconds(outcome.wall_time),
          mebibytes(outcome.usage.peak_memory_bytes),
          outcome.cause.text};
}

std::string table_of(const std::vector<model::RunRecord>& runs) {
  std::vector<std::vector<std::string>> rows{
      {"STARTED", "JOB", "TENANT", "LANGUAGE", "STATUS", "WALL MS", "PEAK MIB", "CAUSE"}};
  for (const model::RunRecord& run : runs) rows.push_back(row_of(run));
  return table(rows);
}

int list(const RunsOptions& options) {
  std::string target = "/api/v1/runs";
  for (const auto& [name, value] : options.filters) {
    target += (target.find('?') == std::string::npos ? "?" : "&") + name + "=" + percent_encoded(value);
  }
  const auto answer = ask(options.remote, http::Method::kGet, target);
  if (!answer) return fail(answer.error(), options.json);
  if (options.json) return print_line(*answer);
  const auto page = wire::parse_run_list(*answer);
  if (!page) return fail({"bad_answer", page.error().text(), ""}, options.json);
  if (page->runs.empty()) {
    complain("no run matches");
    return 0;
  }
  const int printed = print_line(table_of(page->runs));
  if (!page->next_before.empty()) complain("there are more: --before " + page->next_before);
  return printed;
}

}  // namespace

int perform(const RunsOptions& options) {
  if (options.job_id.empty()) return list(options);
  const auto answer = ask(options.remote, http::Method::kGet, "/api/v1/runs/" + percent_encoded(options.job_id));
  if (!answer) return fail(answer.error(), options.json);
  if (options.json) return print_line(*answer);
  const auto run = wire::parse_run_record(*answer);
  if (!run) return fail({"bad_answer", run.error().text(), ""}, options.json);
  return print_line(table_of({*run}));
}

}  // namespace outrigger::cli
