#include "wire/limits_json.h"

#include <gtest/gtest.h>

#include "wire/execute_request.h"

namespace outrigger::wire {
namespace {

std::expected<model::Job, RequestError> with_limits(const std::string& limits, const RequestRules& rules = {}) {
  return parse_execute_request(R"({"tenant_id":"t","language":"python","code":"x","limits":)" + limits + "}", rules);
}

TEST(RequestLimits, EachRefusesWhatIsNoNumberInItsRange) {
  const model::Limits ceilings;
  for (const model::LimitField& field : model::kLimitFields) {
    const std::string path = "limits." + std::string(field.name);
    for (const char* value : {"-1", "0", "0.0001", "1e18", "1e400", "-1e400", "true", "\"5\"", "[]", "{}", "-0.0",
                              "1e99999999999", "18446744073709551615", "-9223372036854775808", "NaN", "Infinity"}) {
      const auto job = with_limits("{\"" + std::string(field.name) + "\":" + value + "}");
      ASSERT_FALSE(job.has_value()) << path << " = " << value;
      EXPECT_EQ(job.error().field, path) << value;
      EXPECT_NE(job.error().message.find(path + " " + limit_rule(field, ceilings)), std::string::npos)
          << value << ": " << job.error().message;
      EXPECT_EQ(job.error().code, base::Code::kInvalid);
    }
  }
}

TEST(RequestLimits, SayTheContractsSentence) {
  EXPECT_EQ(with_limits(R"({"pids":33})").error().message, "limits.pids must be an integer from 1 to 32");
  EXPECT_EQ(with_limits(R"({"cpu_cores":1})").error().message, "limits.cpu_cores must be a number from 0.01 to 0.5");
  EXPECT_EQ(with_limits(R"({"memory_bytes":1})").error().message,
            "limits.memory_bytes must be an integer from 4194304 to 134217728");
}

TEST(RequestLimits, EachTakesItsMinimumAndItsCeiling) {
  RequestRules rules;
  for (const model::LimitField& field : model::kLimitFields) {
    for (const double value : {field.minimum, field.get(rules.ceilings)}) {
      const auto job = with_limits("{\"" + std::string(field.name) + "\":" + std::to_string(value) + "}");
      ASSERT_TRUE(job.has_value()) << field.name << ": " << job.error().message;
      EXPECT_EQ(field.get(job->limits), value) << field.name;
    }
  }
}

TEST(RequestLimits, NullIsTheDefault) {
  RequestRules rules;
  rules.defaults.pids = 9;
  const auto job = with_limits(R"({"pids":null,"wall_time_ms":null,"cpu_cores":null})", rules);
  ASSERT_TRUE(job.has_value());
  EXPECT_EQ(job->limits, rules.defaults);
}

TEST(RequestLimits, TheValueOfAnIntegerCountsNotItsSpelling) {
  for (const char* value : {"2000", "2000.0", "2e3", "2.0E+3"}) {
    const auto job = with_limits(std::string(R"({"wall_time_ms":)") + value + "}");
    ASSERT_TRUE(job.has_value()) << value;
    EXPECT_EQ(job->limits.wall_time, std::chrono::milliseconds{2000});
  }
  EXPECT_FALSE(with_limits(R"({"wall_time_ms":2000.5})").has_value());
}

TEST(RequestLimits, ARaisedCeilingIsARaisedRange) {
  RequestRules rules;
  rules.ceilings.pids = 64;
  EXPECT_EQ(with_limits(R"({"pids":64})", rules)->limits.pids, 64U);
  EXPECT_NE(with_limits(R"({"pids":65})", rules).error().message.find("1 to 64"), std::string::npos);
}

}  // namespace
}  // namespace outrigger::wire
