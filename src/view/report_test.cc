#include "view/report.h"

#include <gtest/gtest.h>

#include "view/test_report.h"

namespace outrigger::view {
namespace {

TEST(Report, JsonHasTheContractsFieldsAndNullForTheUnknown) {
  EXPECT_EQ(to_json(test_report()),
            R"({"jobs":[{"job_id":"unknown","tenant_id":"acme","language":"bash","age_ms":0,"memory_bytes":null,)"
            R"("memory_limit_bytes":null,"cpu_usage_usec":null,"throttling_percent":null,"pids":null,)"
            R"("pids_limit":null,"oom_kills":null,"findings":[]},)"
            R"({"job_id":"near","tenant_id":"acme","language":"python","age_ms":2300,"memory_bytes":123731968,)"
            R"("memory_limit_bytes":134217728,"cpu_usage_usec":1500,"throttling_percent":48,"pids":3,"pids_limit":32,)"
            R"("oom_kills":0,"findings":[{"rule":"memory_approach","severity":"warning",)"
            R"("text":"118.0 MiB of 128.0 MiB"}]}],)"
            R"("fleet":{"sandbox_memory_bytes":123731968,"working_set_bytes":null,"host_memory_bytes":1073741824,)"
            R"("share":0.115234375,"ceiling":0.65,"dispatch_paused":false}})");
}

TEST(Report, IsSortedTheLargestFirstAndTheUnknownLast) {
  Report report = test_report();
  for (const Order order : {Order::kMemory, Order::kCpu, Order::kThrottling, Order::kAge}) {
    sort_jobs(report.jobs, order);
    EXPECT_EQ(report.jobs.front().job_id, "near");
  }
}

TEST(Report, FindingsAreAJobsOrTheFleetsOwn) {
  Report report;
  EXPECT_FALSE(has_findings(report));
  report.fleet.share = 0.65;
  EXPECT_TRUE(has_findings(report));
  report.fleet = {};
  report.fleet.own_pause = true;
  EXPECT_TRUE(has_findings(report));
  report.fleet = {};
  report.fleet.trouble = "cannot reach it";
  EXPECT_TRUE(has_findings(report));
  EXPECT_TRUE(has_findings(test_report()));
}

}  // namespace
}  // namespace outrigger::view
