#include "view/table.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/format.h"
#include "view/words.h"

namespace outrigger::view {
namespace {

constexpr std::size_t kSparkWidth = 20;

enum class Tone : std::uint8_t { kPlain, kGood, kWarning, kBad, kDim };

struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;
  bool right = false;
};
using Row = std::vector<Cell>;

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::kPlain: return "";
    case Tone::kGood: return "\x1b[32m";
    case Tone::kWarning: return "\x1b[33m";
    case Tone::kBad: return "\x1b[31;1m";
    case Tone::kDim: return "\x1b[2m";
  }
  return "";
}

// Characters, not bytes; all that is printed here is one column wide.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

Cell number(std::string text, Tone tone = Tone::kPlain) { return {std::move(text), tone, true}; }

Tone tone_of(std::optional<double> percent, double warning, double bad) {
  if (!percent || *percent < warning) return Tone::kPlain;
  return *percent < bad ? Tone::kWarning : Tone::kBad;
}

std::optional<double> memory_percent(const JobRow& job) {
  if (!job.memory_bytes || !job.memory_limit_bytes || *job.memory_limit_bytes == 0) return std::nullopt;
  return 100.0 * static_cast<double>(*job.memory_bytes) / static_cast<double>(*job.memory_limit_bytes);
}

std::string memory_text(const JobRow& job) {
  if (!job.memory_bytes) return "-";
  return mebibytes(*job.memory_bytes) + " / " +
         (job.memory_limit_bytes ? mebibytes(*job.memory_limit_bytes) : std::string("-")) + " MiB";
}

Cell verdict(const JobRow& job) {
  if (job.findings.empty()) return {"healthy", Tone::kGood};
  Tone tone = Tone::kWarning;
  std::string text;
  for (const rules::Finding& finding : job.findings) {
    if (finding.severity == rules::Severity::kCritical) tone = Tone::kBad;
    if (!text.empty()) text += ", ";
    text += finding.rule;
  }
  return {printable(text), tone};
}

const History& history_of(const JobRow& job, Order order) {
  switch (order) {
    case Order::kCpu: return job.history.cpu;
    case Order::kThrottling: return job.history.throttling;
    case Order::kMemory:
    case Order::kAge: break;
  }
  return job.history.memory;
}

std::string_view history_name(Order order) {
  switch (order) {
    case Order::kCpu: return "CPU, 1 MIN";
    case Order::kThrottling: return "THROTTLING, 1 MIN";
    case Order::kMemory:
    case Order::kAge: break;
  }
  return "MEMORY, 1 MIN";
}

Row heading(const TableStyle& style) {
  Row row{{"JOB"}, {"TENANT"}, {"LANGUAGE"}};
  for (const char* name : {"AGE", "MEMORY", "", "CPU", "THROTTLED", "TASKS", "OOM"}) row.push_back(number(name));
  if (style.history) row.push_back({std::string(history_name(style.order))});
  row.push_back({"VERDICT SO FAR"});
  for (Cell& cell : row) cell.tone = Tone::kDim;
  return row;
}

Row row_of(const JobRow& job, const TableStyle& style) {
  const auto memory = memory_percent(job);
  const bool full = job.pids && job.pids_limit && *job.pids >= *job.pids_limit;
  Row row{{printable(job.job_id)}, {printable(job.tenant_id)}, {printable(job.language)}};
  row.push_back(number(age_text(job.age)));
  row.push_back(number(memory_text(job)));
  row.push_back(number(percent_text(memory), tone_of(memory, 80, 90)));
  row.push_back(number(job.cpu_cores ? percent_text(*job.cpu_cores * 100) : "-"));
  row.push_back(number(percent_text(job.throttling_percent), tone_of(job.throttling_percent, 30, 60)));
  row.push_back(number(pair_text(job.pids, job.pids_limit), full ? Tone::kBad : Tone::kPlain));
  row.push_back(number(count_text(job.oom_kills), job.oom_kills.value_or(0) > 0 ? Tone::kBad : Tone::kPlain));
  if (style.history) row.push_back({spark_line(history_of(job, style.order), kSparkWidth)});
  row.push_back(verdict(job));
  return row;
}

std::string aligned(const std::vector<Row>& rows, bool colour) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i].text));
  }
  std::string out;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Cell& cell = row[i];
      const std::string gap(widths[i] - width_of(cell.text), ' ');
      const bool last = i + 1 == row.size();
      if (cell.right) out += gap;
      const bool painted = colour && cell.tone != Tone::kPlain;
      if (painted) out += code_of(cell.tone);
      out += cell.text;
      if (painted) out += "\x1b[0m";
      if (!cell.right && !last) out += gap;
      out += last ? "\n" : "  ";
    }
  }
  return out;
}

std::string fleet_line(const FleetRow& fleet, std::size_t jobs, const std::string& driver) {
  std::string line = std::to_string(jobs) + (jobs == 1 ? " job" : " jobs");
  if (!driver.empty()) line += ", cgroup " + driver;
  line += " | sandbox RAM " + mebibytes(fleet.sandbox_memory_bytes) + " MiB";
  if (fleet.working_set_bytes) line += " (working set " + mebibytes(*fleet.working_set_bytes) + ")";
  if (fleet.host_memory_bytes) line += " of the host's " + mebibytes(*fleet.host_memory_bytes) + " MiB";
  if (fleet.share) line += base::formatted(": %.2f %%", *fleet.share * 100);
  line += base::formatted(", ceiling %.6g %%", fleet.ceiling * 100);
  line += " | dispatch ";
  if (!fleet.dispatch_paused) return line + "unknown" + (fleet.trouble.empty() ? "" : " (" + fleet.trouble + ")");
  if (!*fleet.dispatch_paused) return line + "open";
  return line + "paused" + (fleet.dispatch_reason.empty() ? "" : " (" + fleet.dispatch_reason + ")");
}

}  // namespace

std::string to_table(const Report& report, const TableStyle& style) {
  std::vector<Row> rows{heading(style)};
  for (const JobRow& job : report.jobs) {
    if (style.max_jobs > 0 && rows.size() > style.max_jobs) break;
    rows.push_back(row_of(job, style));
  }
  std::string out = report.jobs.empty() ? "no job is running\n" : aligned(rows, style.colour);
  if (rows.size() - 1 < report.jobs.size()) {
    out += "... and " + std::to_string(report.jobs.size() - rows.size() + 1) + " more\n";
  }
  for (const JobRow& job : report.jobs) {
    for (const rules::Finding& finding : job.findings) {
      if (style.max_jobs > 0) continue;
      out += "  " + std::string(rules::severity_name(finding.severity)) + ": " + printable(finding.text) + "\n";
    }
  }
  return out + printable(fleet_line(report.fleet, report.jobs.size(), report.driver)) + "\n";
}

bool wants_colour(int fd) {
  const char* refused = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): nobody changes the environment
  return ::isatty(fd) == 1 && (refused == nullptr || *refused == '\0');
}

}  // namespace outrigger::view
