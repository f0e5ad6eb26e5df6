#include "view/report.h"

#include <algorithm>

namespace outrigger::view {
namespace {

double key_of(const JobRow& job, Order order) {
  constexpr double kUnknown = -1;
  switch (order) {
    case Order::kMemory: return job.memory_bytes ? static_cast<double>(*job.memory_bytes) : kUnknown;
    case Order::kCpu: return job.cpu_cores.value_or(kUnknown);
    case Order::kThrottling: return job.throttling_percent.value_or(kUnknown);
    case Order::kAge: return static_cast<double>(job.age.count());
  }
  return kUnknown;
}

}  // namespace

void sort_jobs(std::vector<JobRow>& jobs, Order order) {
  std::ranges::sort(jobs, [order](const JobRow& left, const JobRow& right) {
    const double one = key_of(left, order);
    const double other = key_of(right, order);
    return one != other ? one > other : left.job_id < right.job_id;
  });
}

bool has_findings(const Report& report) {
  const FleetRow& fleet = report.fleet;
  if (fleet.share && *fleet.share >= fleet.ceiling) return true;
  if (fleet.own_pause || !fleet.trouble.empty()) return true;
  return std::ranges::any_of(report.jobs, [](const JobRow& job) { return !job.findings.empty(); });
}

}  // namespace outrigger::view
