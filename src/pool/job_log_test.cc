#include "pool/job_log.h"

#include <gtest/gtest.h>

#include <chrono>

namespace outrigger::pool {
namespace {

using base::format_line;
using base::Level;
using base::LogFormat;
using std::chrono::microseconds;

model::Outcome violation() {
  model::Outcome outcome;
  outcome.job_id = "0123";
  outcome.tenant_id = "acme";
  outcome.language = "python";
  outcome.status = model::Status::kSecurityViolation;
  outcome.exit_code = 159;
  outcome.signal = "SIGSYS";
  outcome.cause = {"seccomp", "killed for the system call socket"};
  outcome.wall_time = microseconds{3100};
  outcome.security_events = {{"seccomp_violation", "socket", 1, "socket", {}}};
  outcome.stdout_stream = {"hunter2", 7, false};
  return outcome;
}

TEST(JobLog, SaysWhichJobWhoseAndWhatBecameOfIt) {
  model::Job job;
  job.code = "print('hunter2')";
  job.stdin_data = "hunter2";
  EXPECT_EQ(format_line(LogFormat::kText, Level::kInfo, "job_ended", ending_fields(job, violation())),
            "info job_ended job_id=0123 tenant_id=acme language=python status=security_violation cause=seccomp "
            "wall_time_ms=3.100 queue_time_ms=0.000 exit_code=159 signal=SIGSYS syscall=socket origin=direct");
}

TEST(JobLog, SaysInWhichTraceAndByWhoseToken) {
  model::Job job;
  job.origin = model::Origin::kQueue;
  job.attempt = 2;
  job.token_id = "3f6c0c1b";
  job.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const std::string line = format_line(LogFormat::kJson, Level::kInfo, "job_ended", ending_fields(job, violation()));
  EXPECT_NE(line.find(R"("origin":"queue","attempt":2,"token_id":"3f6c0c1b",)"
                      R"("trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","span_id":")"),
            std::string::npos)
      << line;
}

}  // namespace
}  // namespace outrigger::pool
