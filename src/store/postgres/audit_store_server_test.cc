#include <gtest/gtest.h>

#include "store_postgres/stores.h"
#include "store_postgres/test_server.h"
#include "store_sql/audit_contract.h"
#include "store_sql/migration.h"
#include "store_sql/run_row.h"

namespace outrigger::store::postgres {

struct EmptyDatabase {
  EmptyDatabase() { clear_server(); }
  std::unique_ptr<AuditStore> make() const { return make_postgres_audit_store(server_url()); }
};

}  // namespace outrigger::store::postgres

namespace outrigger::store::sql {

INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, AuditContract, postgres::EmptyDatabase);

}  // namespace outrigger::store::sql

namespace outrigger::store::postgres {
namespace {

using sql::test_record;

class PostgresAudit : public ::testing::Test {
 protected:
  base::Status insert(const std::string& job_id) { return store_->insert(std::vector{test_record(job_id)}); }

  EmptyDatabase database_;
  std::unique_ptr<AuditStore> store_ = database_.make();
};

TEST_F(PostgresAudit, ColumnsAreWhatTheirNamesSay) {
  ASSERT_TRUE(insert("a"));
  const std::pair<const char*, const char*> expected[] = {
      {"wall_time_ms || ' ' || pg_typeof(wall_time_ms)", "1234.567 double precision"},
      {"started_at AT TIME ZONE 'UTC' || ' ' || pg_typeof(started_at)",
       "2025-01-31 09:30:00.000125 timestamp with time zone"},
      {"limits->>'pids'", "7"},
      {"security_events->0->>'syscall'", "socket"},
      {"stdout_truncated AND NOT stderr_truncated", "t"},
      {"now() - recorded_at < interval '1 minute'", "t"}};
  for (const auto& [column, value] : expected) {
    EXPECT_EQ(server_query("SELECT " + std::string(column) + " FROM execution_runs"), value) << column;
  }
  EXPECT_EQ(server_query("SELECT count(*) FROM information_schema.columns WHERE table_name = 'execution_runs'"),
            std::to_string(sql::kRunColumns.size() + 1));
}

TEST_F(PostgresAudit, AnyTextComesThroughAnArray) {
  model::RunRecord record = test_record("a");
  for (const char* text :
       {"", "NULL", "null", "{}", "{\"a\",\"b\"}", "\\", "\\\\\"", "a,b", " x ", "'; DROP TABLE x;"}) {
    record.outcome.job_id += "x";
    record.command = text;
    ASSERT_TRUE(store_->insert(std::vector{record}));
    EXPECT_EQ(store_->find(record.outcome.job_id).value()->command, text);
  }
}

TEST_F(PostgresAudit, SortsByBytesWhateverTheDatabaseSortsBy) {
  ASSERT_TRUE(store_->insert(std::vector{test_record("a-b"), test_record("aa"), test_record("a1")}));
  const auto runs = store_->list({}).value();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].outcome.job_id, "aa");
  EXPECT_EQ(runs[2].outcome.job_id, "a-b");
}

TEST_F(PostgresAudit, AQuestionWithANulIsRefused) {
  ASSERT_TRUE(insert("a"));
  const auto found = store_->find(std::string("a\0b", 3));
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, base::Code::kInvalid);
  const auto broken = store_->find("\xff");
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, base::Code::kInvalid);
}

TEST_F(PostgresAudit, DataTheDatabaseRefusesIsInvalidAndCostsNoConnection) {
  ASSERT_TRUE(store_->open());
  server_script("ALTER TABLE execution_runs ADD CHECK (node <> 'n1')");
  const std::string backend =
      "SELECT min(pid) FROM pg_stat_activity WHERE application_name = 'outrigger' AND pid <> "
      "pg_backend_pid()";
  const std::string before = server_query(backend);
  const auto refused = insert("a");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::Code::kInvalid);
  EXPECT_NE(refused.error().text().find("SQLSTATE 23514"), std::string::npos) << refused.error().text();
  EXPECT_EQ(server_query(backend), before);
}

TEST_F(PostgresAudit, AStandbyIsNoPlaceToWriteAndSaysSo) {
  ASSERT_TRUE(store_->open());
  server_script("ALTER ROLE outrigger SET default_transaction_read_only = on");
  const auto reader = database_.make();
  const auto refused = reader->insert(std::vector{test_record("a")});
  server_script("BEGIN READ WRITE; ALTER ROLE outrigger RESET default_transaction_read_only; COMMIT");
  EXPECT_EQ(server_query("SHOW default_transaction_read_only"), "off");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::Code::kSystem);
  EXPECT_NE(refused.error().text().find("25006"), std::string::npos) << refused.error().text();
  EXPECT_TRUE(reader->insert(std::vector{test_record("a")}));
}

TEST_F(PostgresAudit, ManyThatOpenAtOnceMigrateOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this] {
      const auto opened = database_.make()->open();
      EXPECT_TRUE(opened.has_value()) << opened.error().text();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(server_query("SELECT count(*) FROM schema_migrations"), std::to_string(sql::postgres_migrations().size()));
}

TEST_F(PostgresAudit, ANewerSchemaIsLeftAlone) {
  ASSERT_TRUE(store_->open());
  server_script("INSERT INTO schema_migrations VALUES (99, 'from_the_future', '')");
  const auto opened = database_.make()->open();
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, base::Code::kConflict);
}

TEST_F(PostgresAudit, ARoleThatMayOnlyInsertAndReadIsEnough) {
  ASSERT_TRUE(store_->open());
  server_script(
      "CREATE ROLE writer LOGIN PASSWORD 'writer'; GRANT USAGE ON SCHEMA public TO writer;"
      "GRANT SELECT, INSERT ON execution_runs, schema_migrations TO writer");
  std::string url = server_url();
  url.replace(url.find("//") + 2, url.find('@') - url.find("//") - 2, "writer:writer");
  const auto inserted = make_postgres_audit_store(url)->insert(std::vector{test_record("a")});
  EXPECT_TRUE(inserted.has_value()) << inserted.error().text();
  server_script("DROP OWNED BY writer; DROP ROLE writer");
}

TEST_F(PostgresAudit, NoErrorHoldsThePasswordOrTheUrl) {
  std::string url = server_url();
  const std::string user = "nobody-of-that-name";
  const std::string password = "s3cr3t-w0rd";
  url.replace(url.find("//") + 2, url.find('@') - url.find("//") - 2, user + ":" + password);
  for (const std::string& wrong :
       {url, url + "?sslmode=" + password, "postgresql://" + password + "@[::1", "host=" + password + " nonsense",
        url + "?application_name=x&target_session_attrs=" + password}) {
    const auto opened = make_postgres_audit_store(wrong)->open();
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code, base::Code::kSystem);
    const std::string text = opened.error().text();
    for (const std::string& secret : {password, user, std::string("127.0.0.1")}) {
      EXPECT_EQ(text.find(secret), std::string::npos) << text;
    }
  }
  EXPECT_NE(make_postgres_audit_store(url)->open().error().text().find("password authentication failed"),
            std::string::npos);
}

}  // namespace
}  // namespace outrigger::store::postgres
