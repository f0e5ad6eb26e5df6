#include "metrics/exposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace outrigger::metrics {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

// A small world, to be changed by a test before it is shown.
struct World {
  World() {
    model::Runtime runtime;
    runtime.name = "python";
    const std::vector<const model::Runtime*> runtimes{&runtime};
    jobs = pool::JobCounters(runtimes);
  }
  [[nodiscard]] std::string text() const {
    return exposition({"1.2", pool, jobs, http, process, audit, queue, lost_log_lines});
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::istringstream in(text());
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }

  pool::PoolState pool{16, 3, 2, true, "v2", "", {}, {}};
  pool::JobCounters jobs;
  HttpState http;
  std::optional<sys::OwnProcess> process;
  std::optional<audit::TrailState> audit;
  std::optional<queue::QueueState> queue;
  std::uint64_t lost_log_lines = 0;
};

std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" {")); }

TEST(Exposition, ShowsHowThePoolStands) {
  World world;
  world.pool.primed = {{"python", 1, 4, 20, 5, 3U << 20}};
  world.jobs.exhausted = 7;
  world.lost_log_lines = 4;
  EXPECT_THAT(
      world.lines(),
      IsSupersetOf(
          {"outrigger_build_info{version=\"1.2\"} 1", "outrigger_cgroup_info{driver=\"v2\"} 1", "outrigger_slots 16",
           "outrigger_slots_in_use 3", "outrigger_waiting_requests 2", "outrigger_log_lines_lost_total 4",
           "outrigger_pool_exhausted_total 7", "outrigger_dispatch_paused 0", "outrigger_jailer_up 1",
           "outrigger_primed_jails{runtime=\"python\",state=\"ready\"} 1",
           "outrigger_primed_jails{runtime=\"python\",state=\"target\"} 4",
           "outrigger_primed_hits_total{runtime=\"python\"} 20", "outrigger_primed_misses_total{runtime=\"python\"} 5",
           "outrigger_primed_memory_bytes{runtime=\"python\"} 3145728"}));
  world.pool.dispatch.paused = true;
  world.pool.jailer_alive = false;
  EXPECT_THAT(world.lines(), IsSupersetOf({"outrigger_dispatch_paused 1", "outrigger_jailer_up 0"}));
}

TEST(Exposition, ShowsTrailAndQueueWhereThereAreSome) {
  World world;
  EXPECT_EQ(world.text().find("outrigger_audit"), std::string::npos);
  EXPECT_EQ(world.text().find("outrigger_queue"), std::string::npos);
  world.audit = audit::TrailState{"sqlite", "away", true, false, 7, 4096, 3, 2, 1};
  world.queue = queue::QueueState{"redis", "", 5, 4, 3, 2, 1};
  EXPECT_THAT(world.lines(),
              IsSupersetOf({"outrigger_audit_up 0", "outrigger_audit_rows_total 7", "outrigger_audit_spool_bytes 4096",
                            "outrigger_audit_lost_total 2", "outrigger_audit_rejected_total 1", "outrigger_queue_up 1",
                            "outrigger_queue_jobs{state=\"waiting\"} 5", "outrigger_queue_jobs{state=\"running\"} 4",
                            "outrigger_queue_jobs{state=\"dead\"} 3", "outrigger_queue_in_flight 2",
                            "outrigger_queue_unsent 1"}));
}

TEST(Exposition, ShowsWhatBecameOfJobs) {
  World world;
  model::Outcome outcome;
  outcome.status = model::Status::kSecurityViolation;
  outcome.wall_time = 7ms;
  outcome.queue_time = 2s;
  outcome.usage.oom_kills = 3;
  outcome.security_events = {{"seccomp_violation", "d", 2, "socket", {}}};
  world.jobs.add("python", outcome, 2s + 8ms);
  EXPECT_THAT(
      world.lines(),
      IsSupersetOf({"outrigger_jobs_total{language=\"python\",status=\"security_violation\"} 1",
                    "outrigger_jobs_total{language=\"python\",status=\"completed\"} 0",
                    "outrigger_job_duration_seconds_sum{language=\"python\",status=\"security_violation\"} 0.007",
                    "outrigger_job_queue_seconds_sum 2", "outrigger_job_overhead_seconds_sum 0.001",
                    "outrigger_security_events_total{type=\"seccomp_violation\"} 1",
                    "outrigger_security_events_total{type=\"oom_kill\"} 0",
                    "outrigger_seccomp_violations_total{syscall=\"socket\"} 2", "outrigger_oom_kills_total 3"}));
}

TEST(Exposition, ItsBucketsAreCumulative) {
  World world;
  model::Outcome outcome;
  outcome.status = model::Status::kCompleted;
  for (const auto wall : {1ms, 7ms, 7ms, 3'600'000ms}) {
    outcome.wall_time = wall;
    world.jobs.add("python", outcome, wall);
  }
  const std::string series = "outrigger_job_duration_seconds";
  EXPECT_THAT(world.lines(), IsSupersetOf({series + "_bucket{language=\"python\",status=\"completed\",le=\"0.001\"} 1",
                                           series + "_bucket{language=\"python\",status=\"completed\",le=\"0.005\"} 1",
                                           series + "_bucket{language=\"python\",status=\"completed\",le=\"0.01\"} 3",
                                           series + "_bucket{language=\"python\",status=\"completed\",le=\"60\"} 3",
                                           series + "_bucket{language=\"python\",status=\"completed\",le=\"+Inf\"} 4",
                                           series + "_count{language=\"python\",status=\"completed\"} 4"}));
}

TEST(Exposition, ShowsWhatTheServerCounted) {
  World world;
  for (int i = 0; i < 5; ++i) world.http.add("/health", "GET", 200, 800us);
  world.http.add("none", "BREW", 404, 1us);
  world.http.connections = 2;
  EXPECT_THAT(world.lines(),
              IsSupersetOf({"outrigger_http_requests_total{method=\"GET\",route=\"/health\",code=\"200\"} 5",
                            "outrigger_http_requests_total{method=\"other\",route=\"none\",code=\"404\"} 1",
                            "outrigger_http_request_duration_seconds_bucket{route=\"/health\",le=\"0.0005\"} 0",
                            "outrigger_http_request_duration_seconds_bucket{route=\"/health\",le=\"0.001\"} 5",
                            "outrigger_http_request_duration_seconds_sum{route=\"/health\"} 0.004",
                            "outrigger_http_connections 2"}));
}

TEST(Exposition, ShowsItsOwnProcessWhereItCanBeRead) {
  World world;
  EXPECT_THAT(world.text(), Not(HasSubstr("process_")));
  world.process = sys::OwnProcess{1'700'000'000s + 250ms, 1230ms, 5U << 20, 12, 1024};
  EXPECT_THAT(world.lines(),
              IsSupersetOf({"process_start_time_seconds 1700000000.25", "process_cpu_seconds_total 1.23",
                            "process_resident_memory_bytes 5242880", "process_open_fds 12", "process_max_fds 1024"}));
}

TEST(Exposition, WritesLargeCountsExactly) {
  World world;
  world.jobs.oom_kills = (1ULL << 53) - 1;
  EXPECT_THAT(world.lines(), IsSupersetOf({"outrigger_oom_kills_total 9007199254740991"}));
}

TEST(Exposition, EscapesWhatALabelMayNotHold) {
  World world;
  world.pool.cgroup_driver = "a\"b\\c\nd";
  EXPECT_THAT(world.lines(), IsSupersetOf({R"(outrigger_cgroup_info{driver="a\"b\\c\nd"} 1)"}));
}

// https://prometheus.io/docs/practices/naming/
TEST(Exposition, NamesThingsAsPrometheusWants) {
  World world;
  world.process = sys::OwnProcess{};
  std::set<std::string> seen;
  for (const std::string& line : world.lines()) {
    if (!line.starts_with("# TYPE ")) continue;
    const std::string name = first_word(line.substr(7));
    EXPECT_TRUE(seen.insert(name).second) << name << " comes twice";
    EXPECT_TRUE(name.starts_with("outrigger_") || name.starts_with("process_")) << name;
    EXPECT_EQ(name.ends_with("_total"), line.ends_with(" counter")) << line;
    if (line.ends_with(" histogram")) EXPECT_TRUE(name.ends_with("_seconds")) << name;
  }
  EXPECT_FALSE(seen.empty());
}

}  // namespace
}  // namespace outrigger::metrics
