#include <gtest/gtest.h>

#include <thread>

#include "store_sql/run_row.h"
#include "store_sql/test_record.h"
#include "store_sqlite/stores.h"
#include "store_sqlite/test_directory.h"
#include "wire/run_record.h"

namespace outrigger::store::sqlite {
namespace {

using namespace std::chrono_literals;
using sql::empty_test_record;
using sql::test_record;

class SqliteAudit : public DirectoryTest {
 protected:
  void SetUp() override {
    DirectoryTest::SetUp();
    store_ = make_sqlite_audit_store(dir_.get());
  }
  void insert(const std::vector<model::RunRecord>& records) {
    const auto inserted = store_->insert(records);
    ASSERT_TRUE(inserted.has_value()) << inserted.error().text();
  }
  std::string listed(const RunQuery& query) {
    const auto runs = store_->list(query);
    if (!runs) return runs.error().text();
    std::string ids;
    for (const auto& run : *runs) ids += run.outcome.job_id + " ";
    return ids;
  }

  std::unique_ptr<AuditStore> store_;
};

TEST_F(SqliteAudit, ReadsBackWhatWasWritten) {
  ASSERT_TRUE(store_->open());
  insert({test_record("a"), empty_test_record("b")});
  for (const auto& record : {test_record("a"), empty_test_record("b")}) {
    const auto found = store_->find(record.outcome.job_id);
    ASSERT_TRUE(found.has_value() && found->has_value());
    EXPECT_EQ(wire::run_record_json(**found), wire::run_record_json(record));
  }
  EXPECT_EQ(store_->find("c").value(), std::nullopt);
}

TEST_F(SqliteAudit, ColumnsAreWhatTheirNamesSay) {
  insert({test_record("a")});
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

TEST_F(SqliteAudit, TheFirstRowOfAJobStays) {
  insert({test_record("a")});
  model::RunRecord other = test_record("a");
  other.node = "n2";
  insert({other, test_record("b"), test_record("b")});
  EXPECT_EQ(store_->find("a").value()->node, "n1");
  EXPECT_EQ(query("audit.sqlite", "SELECT count(*) FROM execution_runs"), "2");
}

TEST_F(SqliteAudit, ABatchIsAllOrNothing) {
  model::RunRecord wrong = test_record("b");
  wrong.command = std::string("a\0b", 3);
  const std::vector<model::RunRecord> batch{test_record("a"), wrong};
  const auto inserted = store_->insert(batch);
  ASSERT_FALSE(inserted.has_value());
  EXPECT_EQ(inserted.error().code, base::Code::kInvalid);
  EXPECT_EQ(listed({}), "");
  insert({test_record("a")});
}

TEST_F(SqliteAudit, ListsNewestFirstAndGoesOnFromACursor) {
  insert({test_record("a", 1), test_record("c", 2), test_record("b", 2), test_record("d", 0)});
  EXPECT_EQ(listed({}), "c b a d ");
  RunQuery query;
  query.limit = 2;
  EXPECT_EQ(listed(query), "c b ");
  query.before = RunCursor{test_record("b", 2).outcome.started_at, "b"};
  EXPECT_EQ(listed(query), "a d ");
}

TEST_F(SqliteAudit, ListsWhatIsAskedFor) {
  model::RunRecord other = test_record("b", 1);
  other.outcome.tenant_id = "umbra";
  other.outcome.language = "bash";
  other.outcome.status = model::Status::kCompleted;
  insert({test_record("a", 0), other, test_record("c", 2)});
  RunQuery tenant;
  tenant.tenant_id = "acme";
  EXPECT_EQ(listed(tenant), "c a ");
  RunQuery all_at_once;
  all_at_once.tenant_id = "umbra";
  all_at_once.language = "bash";
  all_at_once.status = model::Status::kCompleted;
  all_at_once.since = other.outcome.started_at;
  all_at_once.until = other.outcome.started_at + 1us;
  EXPECT_EQ(listed(all_at_once), "b ");
  all_at_once.until = other.outcome.started_at;
  EXPECT_EQ(listed(all_at_once), "");
}

TEST_F(SqliteAudit, RemovesTheOldestAndNoMoreThanAsked) {
  insert({test_record("a", 0), test_record("b", 1), test_record("c", 2), test_record("d", 3)});
  const auto end_of_c = test_record("c", 2).outcome.ended_at;
  EXPECT_EQ(store_->remove_ended_before(end_of_c, 1).value(), 1U);
  EXPECT_EQ(listed({}), "d c b ");
  EXPECT_EQ(store_->remove_ended_before(end_of_c, 10).value(), 1U);
  EXPECT_EQ(store_->remove_ended_before(end_of_c, 10).value(), 0U);
  EXPECT_EQ(listed({}), "d c ");
}

TEST_F(SqliteAudit, TwoWritersLoseAndDoubleNothing) {
  const auto write = [&](const std::string& prefix) {
    const auto store = make_sqlite_audit_store(dir_.get());
    for (int i = 0; i < 30; ++i) {
      const std::vector<model::RunRecord> batch{test_record(prefix + std::to_string(i)),
                                                test_record("both" + std::to_string(i))};
      const auto inserted = store->insert(batch);
      EXPECT_TRUE(inserted.has_value()) << inserted.error().text();
    }
  };
  std::thread first(write, "x");
  std::thread second(write, "y");
  first.join();
  second.join();
  EXPECT_EQ(query("audit.sqlite", "SELECT count(*) FROM execution_runs"), "90");
}

}  // namespace
}  // namespace outrigger::store::sqlite
