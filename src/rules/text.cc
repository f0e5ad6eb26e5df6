#include "rules/text.h"

#include <algorithm>
#include <array>

#include "base/format.h"

namespace outrigger::rules {
namespace {

using base::formatted;

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"%.1f KiB", "%.1f MiB", "%.1f GiB", "%.1f TiB"};
  constexpr double kStep = 1024;
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / kStep;
  std::size_t unit = 0;
  for (; value >= kStep && unit + 1 < kUnits.size(); ++unit) value /= kStep;
  return formatted(kUnits.at(unit), value);
}

std::string percent_text(double percent) { return formatted("%.1f %%", percent); }

std::string time_text(std::chrono::microseconds time) {
  const auto micros = static_cast<double>(time.count());
  if (time >= std::chrono::seconds(1)) return formatted("%.2f s", micros / 1e6);
  if (time >= std::chrono::milliseconds(1)) return formatted("%.0f ms", micros / 1e3);
  return formatted("%.1f ms", micros / 1e3);
}

std::string cores_text(double cores) { return formatted("%.2f cores", cores); }

std::string count_text(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string pids_text(const std::vector<pid_t>& pids) {
  constexpr std::size_t kShown = 16;
  std::string text;
  for (std::size_t index = 0; index < std::min(pids.size(), kShown); ++index) {
    if (index > 0) text += ", ";
    text += std::to_string(pids[index]);
  }
  if (pids.size() > kShown) text += " and " + std::to_string(pids.size() - kShown) + " more";
  return text;
}

std::string job_text(const Subject& job) {
  return job.tenant_id.empty() ? "job " + job.job_id : "job " + job.job_id + " of tenant " + job.tenant_id;
}

}  // namespace outrigger::rules
