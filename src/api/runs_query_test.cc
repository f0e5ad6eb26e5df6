#include "api/runs_query.h"

#include <gtest/gtest.h>

#include "wire/time_text.h"

namespace outrigger::api {
namespace {

TEST(RunsQuery, ReadsEveryFilter) {
  const auto query = parse_runs_query(
      "tenant_id=acme&language=python&status=timeout&since=2025-01-31T09:30:00Z&until=2025-01-31T11%3A00%3A00%2B01:00"
      "&limit=7&before=2025-01-31T09:30:00.125000Z%2Fabc");
  ASSERT_TRUE(query.has_value()) << query.error().message;
  EXPECT_EQ(query->tenant_id, "acme");
  EXPECT_EQ(query->language, "python");
  EXPECT_EQ(query->status, model::Status::kTimeout);
  EXPECT_EQ(query->since, wire::parse_time("2025-01-31T09:30:00Z"));
  EXPECT_EQ(query->until, wire::parse_time("2025-01-31T10:00:00Z"));
  EXPECT_EQ(query->limit, 7U);
  ASSERT_TRUE(query->before.has_value());
  EXPECT_EQ(cursor_text(*query->before), "2025-01-31T09:30:00.125000Z/abc");
}

TEST(RunsQuery, AsksForAHundredUnlessTold) {
  EXPECT_EQ(parse_runs_query("")->limit, 100U);
  EXPECT_EQ(parse_runs_query("&")->limit, 100U);
  EXPECT_EQ(parse_runs_query("status=interrupted")->status, model::Status::kInterrupted);
}

TEST(RunsQuery, RefusesWithTheParametersName) {
  const std::pair<const char*, const char*> cases[] = {{"limit=0", "limit"},         {"limit=1001", "limit"},
                                                       {"limit=x", "limit"},         {"limit=", "limit"},
                                                       {"status=done", "status"},    {"tenant=a", "tenant"},
                                                       {"before=abc", "before"},     {"since=now", "since"},
                                                       {"until=2025", "until"},      {"tenant_id=a b", "tenant_id"},
                                                       {"limit=1&limit=2", "limit"}, {"language=", "language"},
                                                       {"tenant_id=%ff", ""},        {"tenant_id=%4", ""}};
  for (const auto& [text, field] : cases) {
    const auto query = parse_runs_query(text);
    ASSERT_FALSE(query.has_value()) << text;
    EXPECT_EQ(query.error().field, field) << text;
  }
}

}  // namespace
}  // namespace outrigger::api
