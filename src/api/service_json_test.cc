#include "api/service_json.h"

#include <gtest/gtest.h>

#include "api/test_service.h"

namespace outrigger::api {
namespace {

TEST(Health, IsOkWhereEveryRuntimeIsAvailable) {
  TestService service;
  service.installed.pop_back();
  EXPECT_EQ(assess(Services{service}, false).status, HealthStatus::kOk);
  EXPECT_TRUE(assess(Services{service}, false).reasons.empty());
}

TEST(Health, IsDegradedWithAReasonThatSaysWhatToDo) {
  TestService service;
  const Health health = assess(Services{service}, false);
  EXPECT_EQ(health.status, HealthStatus::kDegraded);
  ASSERT_EQ(health.reasons.size(), 1U);
  EXPECT_NE(health.reasons[0].find("outrigger runtime build node"), std::string::npos) << health.reasons[0];
}

TEST(Health, IsDegradedWhilePausedOrLosingRecords) {
  TestService service;
  service.installed.pop_back();
  service.pool_state.dispatch = {true, "memory"};
  EXPECT_EQ(assess(Services{service}, false).reasons, std::vector<std::string>{"dispatch is paused: memory"});
  service.pool_state.dispatch = {};
  service.pool_state.record_trouble = "cards are lost";
  EXPECT_EQ(assess(Services{service}, false).reasons, std::vector<std::string>{"cards are lost"});
  EXPECT_EQ(assess(Services{service}, false).status, HealthStatus::kDegraded);
}

TEST(Health, IsUnreadyWhereNoJobWouldRun) {
  TestService service;
  service.pool_state.jailer_alive = false;
  service.pool_state.jailer_trouble = "the jailer has died; another is being started";
  EXPECT_EQ(assess(Services{service}, false).status, HealthStatus::kUnready);
  EXPECT_EQ(assess(Services{service}, false).reasons.front(), service.pool_state.jailer_trouble);
  service.pool_state.jailer_alive = true;
  EXPECT_EQ(assess(Services{service}, true).status, HealthStatus::kUnready);
  service.installed.erase(service.installed.begin(), service.installed.begin() + 2);
  EXPECT_EQ(assess(Services{service}, false).status, HealthStatus::kUnready);
  service.installed.clear();
  EXPECT_EQ(assess(Services{service}, false).status, HealthStatus::kUnready);
}

TEST(Health, SaysHowThingsStand) {
  TestService service;
  service.installed.erase(service.installed.begin() + 1, service.installed.end());
  EXPECT_EQ(
      health_to_json(assess(Services{service}, false), Services{service}, "1.2"),
      R"({"status":"ok","reasons":[],"version":"1.2","cgroup":{"driver":"v2"},)"
      R"("runtimes":[{"name":"python","available":true,"image":"standard","version":"3.11"}],)"
      R"("pool":{"slots":16,"running":1,"waiting":2,"primed":[]},"dispatch":{"paused":false,"reason":null},"audit":null,"queue":null})");
}

TEST(Health, TellsHowOftenAJailWasReady) {
  TestService service;
  service.pool_state.primed = {{"python", 3, 4, 3, 1}, {"node", 2, 2, 0, 0}};
  const std::string text = health_to_json(assess(Services{service}, false), Services{service}, "1.2");
  EXPECT_NE(text.find(R"({"runtime":"python","ready":3,"target":4,"hits":3,"misses":1,"hit_rate":0.75})"), text.npos)
      << text;
  EXPECT_NE(text.find(R"({"runtime":"node","ready":2,"target":2,"hits":0,"misses":0,"hit_rate":null})"), text.npos)
      << text;
}

TEST(Languages, AreTheRuntimesAndTheLimits) {
  TestService service;
  service.installed.erase(service.installed.begin(), service.installed.end() - 1);
  const std::string text = languages_to_json(service, {});
  EXPECT_EQ(text.substr(0, text.find(",\"default_limits\"")),
            R"({"languages":[{"name":"node","aliases":["js"],"version":null,"image":"missing","available":false,)"
            R"("source_file":"main.js"}])");
  EXPECT_NE(text.find(R"("limit_ceilings":{"wall_time_ms":5000,)"), std::string::npos);
}

}  // namespace
}  // namespace outrigger::api
