#include "judge0/language.h"

#include <gtest/gtest.h>

#include "judge0/config.h"
#include "judge0/test_runtimes.h"

namespace outrigger::judge0 {
namespace {

TEST(Judge0Language, HasJudge0sIdsWithOurVersions) {
  const auto runtimes = test_runtimes();
  EXPECT_EQ(languages_json(runtimes, false),
            R"j([{"id":71,"name":"Python (3.11.2)"},{"id":63,"name":"JavaScript (Node.js 18.20.4)"}])j");
  EXPECT_NE(languages_json(runtimes, true).find(R"("is_archived":false)"), std::string::npos);
  const auto python = find_language(runtimes, 92);
  ASSERT_TRUE(python.has_value());
  EXPECT_EQ(python->id, 92);
  EXPECT_EQ(language_json(*python),
            R"j({"id":92,"name":"Python (3.11.2)","is_archived":false,"source_file":"main.py","compile_cmd":null,)j"
            R"("run_cmd":"/usr/bin/python3 main.py"})");
}

TEST(Judge0Language, AnotherLanguageIsNoneOfOurs) {
  const auto runtimes = test_runtimes();
  for (const int id : {70, 0, -1, 89, 60, 1}) EXPECT_FALSE(find_language(runtimes, id)) << id;
  const auto cpp = find_language(runtimes, 54);
  ASSERT_TRUE(cpp.has_value());
  EXPECT_TRUE(cpp->installed->image_path.empty());
}

TEST(Judge0Config, TellsTheLimitsInJudge0sUnits) {
  model::Limits ceilings;
  ceilings.wall_time = std::chrono::milliseconds{20'000};
  const std::string info = config_info_json({}, ceilings);
  for (const char* part :
       {R"("cpu_time_limit":5.0,"max_cpu_time_limit":5.0)", R"("wall_time_limit":5.0,"max_wall_time_limit":20.0)",
        R"("memory_limit":131072,"max_memory_limit":131072)",
        R"("max_processes_and_or_threads":32,"max_max_processes_and_or_threads":32)",
        R"("number_of_runs":1,"max_number_of_runs":20)", R"("allow_enable_network":false)"}) {
    EXPECT_NE(info.find(part), std::string::npos) << part << " is not in " << info;
  }
}

TEST(Judge0Config, DecimalsHaveAtLeastOneDigitAndNoZeroesMore) {
  EXPECT_EQ(decimal_text(5), "5.0");
  EXPECT_EQ(decimal_text(0), "0.0");
  EXPECT_EQ(decimal_text(0.012), "0.012");
  EXPECT_EQ(decimal_text(0.0004), "0.0");
  EXPECT_EQ(decimal_text(1.5), "1.5");
  EXPECT_EQ(decimal_text(12.3456), "12.346");
}

}  // namespace
}  // namespace outrigger::judge0
