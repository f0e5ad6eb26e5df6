#include <gtest/gtest.h>

#include "wire/dispatch_json.h"
#include "wire/error_json.h"
#include "wire/job_card.h"

namespace outrigger::wire {
namespace {

TEST(ErrorJson, IsTheContractsBody) {
  EXPECT_EQ(error_to_json({"invalid_request", "limits.pids must be an integer from 1 to 32", "limits.pids"}),
            R"({"error":{"code":"invalid_request","message":"limits.pids must be an integer from 1 to 32",)"
            R"("field":"limits.pids"}})");
  EXPECT_EQ(error_to_json({"not_found", "no", ""}), R"({"error":{"code":"not_found","message":"no","field":null}})");
}

TEST(ErrorJson, ReadsBackWhatItWrote) {
  const auto back = parse_error(error_to_json({"c", "m \"q\"", "f"}));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->code, "c");
  EXPECT_EQ(back->message, "m \"q\"");
  EXPECT_EQ(back->field, "f");
  EXPECT_EQ(parse_error(error_to_json({"c", "m", ""}))->field, "");
  EXPECT_FALSE(parse_error("<html></html>").has_value());
  EXPECT_FALSE(parse_error(R"({"error":"x"})").has_value());
}

TEST(DispatchJson, ReadsPauseWithAndWithoutReason) {
  EXPECT_TRUE(parse_dispatch(R"({"paused":true,"reason":"memory"})")->paused);
  EXPECT_EQ(parse_dispatch(R"({"paused":true,"reason":"memory"})")->reason, "memory");
  EXPECT_FALSE(parse_dispatch(R"({"paused":false,"reason":null})")->paused);
  EXPECT_EQ(dispatch_to_json({false, ""}), R"({"paused":false,"reason":null})");
}

TEST(DispatchJson, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(parse_dispatch("{}").error().field, "paused");
  EXPECT_EQ(parse_dispatch(R"({"paused":1})").error().field, "paused");
  EXPECT_EQ(parse_dispatch(R"({"paused":null})").error().field, "paused");
  EXPECT_EQ(parse_dispatch(R"({"pause":true})").error().field, "pause");
  EXPECT_EQ(parse_dispatch(R"({"paused":true,"reason":5})").error().field, "reason");
  EXPECT_EQ(parse_dispatch(R"({"paused":true,"reason":")" + std::string(257, 'r') + "\"}").error().field, "reason");
  EXPECT_FALSE(parse_dispatch("[]").has_value());
}

TEST(JobCard, HasTheProtocolsFields) {
  const JobCard card{"id",
                     "acme",
                     "bash",
                     "/bin/bash main.sh",
                     std::chrono::system_clock::time_point{std::chrono::milliseconds{1'738'315'800'000}},
                     {},
                     "outrigger/id"};
  EXPECT_EQ(job_card_json(card),
            R"({"job_id":"id","tenant_id":"acme","language":"bash","command":"/bin/bash main.sh",)"
            R"("started_at":"2025-01-31T09:30:00.000Z","limits":{"wall_time_ms":5000,"cpu_time_ms":5000,)"
            R"("memory_bytes":134217728,"cpu_cores":0.5,"pids":32,"output_bytes":524288,"tmpfs_bytes":16777216},)"
            R"("cgroup":"outrigger/id"})"
            "\n");
}

}  // namespace
}  // namespace outrigger::wire
