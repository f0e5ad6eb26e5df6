#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/audit_store.h"
#include "store_sql/test_record.h"
#include "wire/run_record.h"

// What every AuditStore keeps, whatever is below it. `Place` is an empty database: its make() gives a store in it.
namespace outrigger::store::sql {

template <typename Place>
class AuditContract : public ::testing::Test {
 protected:
  void SetUp() override { store_ = place_.make(); }

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

  Place place_;
  std::unique_ptr<AuditStore> store_;
};

TYPED_TEST_SUITE_P(AuditContract);

TYPED_TEST_P(AuditContract, ReadsBackWhatWasWritten) {
  ASSERT_TRUE(this->store_->open());
  this->insert({test_record("a"), empty_test_record("b")});
  for (const auto& record : {test_record("a"), empty_test_record("b")}) {
    const auto found = this->store_->find(record.outcome.job_id);
    ASSERT_TRUE(found.has_value() && found->has_value());
    EXPECT_EQ(wire::run_record_json(**found), wire::run_record_json(record));
  }
  EXPECT_EQ(this->store_->find("c").value(), std::nullopt);
}

TYPED_TEST_P(AuditContract, TheFirstRowOfAJobStays) {
  this->insert({test_record("a")});
  model::RunRecord other = test_record("a");
  other.node = "n2";
  this->insert({other, test_record("b"), test_record("b")});
  EXPECT_EQ(this->store_->find("a").value()->node, "n1");
  EXPECT_EQ(this->listed({}), "b a ");
}

TYPED_TEST_P(AuditContract, ABatchIsAllOrNothing) {
  model::RunRecord wrong = test_record("b");
  wrong.command = std::string("a\0b", 3);
  const std::vector<model::RunRecord> batch{test_record("a"), wrong};
  const auto inserted = this->store_->insert(batch);
  ASSERT_FALSE(inserted.has_value());
  EXPECT_EQ(inserted.error().code, base::Code::kInvalid);
  EXPECT_EQ(this->listed({}), "");
  this->insert({test_record("a")});
}

TYPED_TEST_P(AuditContract, ListsNewestFirstAndGoesOnFromACursor) {
  this->insert({test_record("a", 1), test_record("c", 2), test_record("b", 2), test_record("d", 0)});
  EXPECT_EQ(this->listed({}), "c b a d ");
  RunQuery query;
  query.limit = 2;
  EXPECT_EQ(this->listed(query), "c b ");
  query.before = RunCursor{test_record("b", 2).outcome.started_at, "b"};
  EXPECT_EQ(this->listed(query), "a d ");
}

TYPED_TEST_P(AuditContract, ListsWhatIsAskedFor) {
  model::RunRecord other = test_record("b", 1);
  other.outcome.tenant_id = "umbra";
  other.outcome.language = "bash";
  other.outcome.status = model::Status::kCompleted;
  this->insert({test_record("a", 0), other, test_record("c", 2)});
  RunQuery tenant;
  tenant.tenant_id = "acme";
  EXPECT_EQ(this->listed(tenant), "c a ");
  RunQuery all_at_once;
  all_at_once.tenant_id = "umbra";
  all_at_once.language = "bash";
  all_at_once.status = model::Status::kCompleted;
  all_at_once.since = other.outcome.started_at;
  all_at_once.until = other.outcome.started_at + std::chrono::microseconds{1};
  EXPECT_EQ(this->listed(all_at_once), "b ");
  all_at_once.until = other.outcome.started_at;
  EXPECT_EQ(this->listed(all_at_once), "");
}

TYPED_TEST_P(AuditContract, RemovesTheOldestAndNoMoreThanAsked) {
  this->insert({test_record("a", 0), test_record("b", 1), test_record("c", 2), test_record("d", 3)});
  const auto end_of_c = test_record("c", 2).outcome.ended_at;
  EXPECT_EQ(this->store_->remove_ended_before(end_of_c, 1).value(), 1U);
  EXPECT_EQ(this->listed({}), "d c b ");
  EXPECT_EQ(this->store_->remove_ended_before(end_of_c, 10).value(), 1U);
  EXPECT_EQ(this->store_->remove_ended_before(end_of_c, 10).value(), 0U);
  EXPECT_EQ(this->listed({}), "d c ");
}

TYPED_TEST_P(AuditContract, TwoWritersLoseAndDoubleNothing) {
  const auto write = [&](const std::string& prefix) {
    const auto store = this->place_.make();
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
  EXPECT_EQ(this->store_->list({})->size(), 90U);
}

REGISTER_TYPED_TEST_SUITE_P(AuditContract, ReadsBackWhatWasWritten, TheFirstRowOfAJobStays, ABatchIsAllOrNothing,
                            ListsNewestFirstAndGoesOnFromACursor, ListsWhatIsAskedFor,
                            RemovesTheOldestAndNoMoreThanAsked, TwoWritersLoseAndDoubleNothing);

}  // namespace outrigger::store::sql
