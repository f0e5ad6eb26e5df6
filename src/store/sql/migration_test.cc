#include "store_sql/migration.h"

#include <gtest/gtest.h>

namespace outrigger::store::sql {
namespace {

TEST(Migration, EachSetIsNumberedFromOne) {
  for (const auto set : {sqlite_migrations(), queue_migrations(), postgres_migrations()}) {
    ASSERT_FALSE(set.empty());
    for (std::size_t i = 0; i < set.size(); ++i) EXPECT_EQ(set[i].version, static_cast<int>(i) + 1) << set[i].name;
  }
  EXPECT_EQ(sqlite_migrations().front().name, "execution_runs");
}

TEST(Migration, ADatabaseGetsWhatItLacks) {
  const auto all = queue_migrations();
  EXPECT_EQ(missing_migrations(all, 0, "x")->size(), all.size());
  EXPECT_EQ(missing_migrations(all, static_cast<int>(all.size()), "x")->size(), 0U);
}

TEST(Migration, ANewerDatabaseIsLeftAlone) {
  const auto missing = missing_migrations(sqlite_migrations(), 99, "audit.sqlite");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, base::Code::kConflict);
  EXPECT_NE(missing.error().context.find("audit.sqlite has a schema of version 99"), std::string::npos);
}

}  // namespace
}  // namespace outrigger::store::sql
