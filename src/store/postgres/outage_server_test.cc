#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "store_postgres/stores.h"
#include "store_postgres/test_server.h"
#include "store_sql/test_record.h"

namespace outrigger::store::postgres {
namespace {

using namespace std::chrono_literals;
using sql::test_record;
using std::chrono::steady_clock;

constexpr PostgresOptions kImpatient{.deadline = 1s};
constexpr auto kGrace = 500ms;  // for the machine this runs on

class PostgresOutage : public ::testing::Test {
 protected:
  void SetUp() override {
    clear_server();
    store_ = make_postgres_audit_store(server_url(), kImpatient);
    ASSERT_TRUE(store_->open());
  }
  base::Status insert(const std::string& job_id) { return store_->insert(std::vector{test_record(job_id)}); }
  void expect_timeout(const std::string& job_id) {
    const auto begin = steady_clock::now();
    const auto late = insert(job_id);
    EXPECT_LT(steady_clock::now() - begin, kImpatient.deadline + kGrace);
    ASSERT_FALSE(late.has_value());
    EXPECT_EQ(late.error().code, base::Code::kTimedOut) << late.error().text();
  }

  std::unique_ptr<AuditStore> store_;
};

TEST_F(PostgresOutage, AFrozenServerIsATimeoutAndServesAgainOnceThawed) {
  server_do("freeze");
  expect_timeout("a");  // on the connection that stands
  expect_timeout("b");  // while it connects anew
  server_do("thaw");
  EXPECT_TRUE(insert("c"));
}

TEST_F(PostgresOutage, ALockedTableIsATimeoutAndLeavesNoBackendBehind) {
  Connection other(server_url(), 20s);
  const Deadline deadline = steady_clock::now() + 20s;
  ASSERT_TRUE(other.open("test", deadline));
  ASSERT_TRUE(other.script("test", "BEGIN; LOCK TABLE execution_runs", deadline));
  expect_timeout("a");
  expect_timeout("b");
  std::this_thread::sleep_for(kImpatient.deadline);
  EXPECT_EQ(server_query("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'INSERT INTO execution_runs%'"), "0");
  ASSERT_TRUE(other.script("test", "ROLLBACK", deadline));
  EXPECT_TRUE(insert("c"));
}

TEST_F(PostgresOutage, AServerThatIsDownIsAnErrorUntilItIsBack) {
  server_do("stop");
  const auto refused = insert("a");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::Code::kSystem) << refused.error().text();
  EXPECT_NE(refused.error().text().find("Connection refused"), std::string::npos) << refused.error().text();
  server_do("start");
  EXPECT_TRUE(insert("a"));
}

TEST_F(PostgresOutage, ARestartBetweenCallsIsNotNoticed) {
  server_do("stop");
  server_do("start");
  const auto inserted = insert("a");
  EXPECT_TRUE(inserted.has_value()) << inserted.error().text();
}

TEST_F(PostgresOutage, AKilledServerLosesNothingAcknowledgedAndDoublesNothing) {
  constexpr int kBatches = 400;
  constexpr int kBatchSize = 20;
  constexpr int kMostFailures = 10'000;
  std::set<std::string> acknowledged;
  std::atomic<int> done = 0;
  int failures = 0;
  std::thread writer([&] {
    const auto store = make_postgres_audit_store(server_url(), kImpatient);
    for (int i = 0; i < kBatches; ++i) {
      std::vector<model::RunRecord> batch;
      for (int j = 0; j < kBatchSize; ++j) batch.push_back(test_record(std::to_string(i) + "-" + std::to_string(j)));
      while (!store->insert(batch) && ++failures < kMostFailures) std::this_thread::sleep_for(10ms);
      for (const auto& record : batch) acknowledged.insert(record.outcome.job_id);
      done = i;
    }
  });
  for (const int at : {kBatches / 4, kBatches / 2}) {
    while (done < at) std::this_thread::sleep_for(1ms);
    server_do("kill");
    server_do("start");
  }
  writer.join();
  EXPECT_GT(failures, 0);
  EXPECT_LT(failures, kMostFailures);
  EXPECT_EQ(acknowledged.size(), static_cast<std::size_t>(kBatches * kBatchSize));
  EXPECT_EQ(server_query("SELECT count(DISTINCT job_id) || ' ' || count(*) FROM execution_runs"), "8000 8000");
}

}  // namespace
}  // namespace outrigger::store::postgres
