#include <gtest/gtest.h>

#include "store_sql/audit_contract.h"
#include "store_sql/run_row.h"
#include "store_sqlite/stores.h"
#include "store_sqlite/test_directory.h"

namespace outrigger::store::sqlite {

struct EmptyFile {
  std::unique_ptr<AuditStore> make() const { return make_sqlite_audit_store(directory.fd()); }
  TestDirectory directory;
};

}  // namespace outrigger::store::sqlite

namespace outrigger::store::sql {

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, AuditContract, sqlite::EmptyFile);

}  // namespace outrigger::store::sql

namespace outrigger::store::sqlite {
namespace {

using SqliteAudit = DirectoryTest;

TEST_F(SqliteAudit, ColumnsAreWhatTheirNamesSay) {
  ASSERT_TRUE(make_sqlite_audit_store(dir_)->insert(std::vector{sql::test_record("a")}));
  EXPECT_EQ(query("audit.sqlite", "SELECT wall_time_ms || ' ' || typeof(wall_time_ms) FROM execution_runs"),
            "1234.567 real");
  EXPECT_EQ(query("audit.sqlite", "SELECT pids_limit_hits || ' ' || typeof(pids_limit_hits) FROM execution_runs"),
            "0 integer");
  EXPECT_EQ(query("audit.sqlite", "SELECT started_at FROM execution_runs"), "2025-01-31T09:30:00.000125Z");
  EXPECT_EQ(query("audit.sqlite", "SELECT json_extract(limits, '$.pids') FROM execution_runs"), "7");
  EXPECT_EQ(query("audit.sqlite", "SELECT length(recorded_at) FROM execution_runs"), "27");
  EXPECT_EQ(query("audit.sqlite", "SELECT count(*) FROM pragma_table_info('execution_runs')"),
            std::to_string(sql::kRunColumns.size() + 1));
}

}  // namespace
}  // namespace outrigger::store::sqlite
