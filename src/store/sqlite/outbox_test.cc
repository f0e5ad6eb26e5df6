#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

#include "store_sqlite/stores.h"
#include "store_sqlite/test_directory.h"

namespace outrigger::store::sqlite {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

class SqliteOutbox : public DirectoryTest {
 protected:
  void add(const std::string& job_id) const {
    const auto added = outbox_->add(std::vector{Submission{job_id, job_id + " entry"}});
    ASSERT_TRUE(added.has_value()) << added.error().text();
  }
  [[nodiscard]] std::string due(system_clock::time_point seen_before, std::size_t at_most = 10) const {
    std::string text;
    for (const auto& job : outbox_->due(seen_before, at_most).value()) {
      EXPECT_EQ(job.entry, job.job_id + " entry");
      text += job.job_id + " ";
    }
    return text;
  }

  const system_clock::time_point now_ = system_clock::now();
  std::unique_ptr<Outbox> outbox_ = make_sqlite_outbox(dir_);
};

TEST_F(SqliteOutbox, WhatWasNeverSeenIsDueAtOnceInItsOrder) {
  ASSERT_TRUE(outbox_->open());
  for (const char* id : {"c", "a", "b"}) add(id);
  EXPECT_EQ(due({}), "c a b ");
  EXPECT_EQ(due({}, 2), "c a ");
  EXPECT_EQ(outbox_->size().value(), 3U);
}

TEST_F(SqliteOutbox, WhatWasSeenIsDueLongestWaitingFirst) {
  for (const char* id : {"a", "b", "c"}) add(id);
  ASSERT_TRUE(outbox_->mark_seen(std::vector<std::string>{"a"}, now_));
  ASSERT_TRUE(outbox_->mark_seen(std::vector<std::string>{"b"}, now_ - 1s));
  EXPECT_EQ(due(now_ - 2s), "c ");
  EXPECT_EQ(due(now_), "c b ");
  EXPECT_EQ(due(now_ + 1s), "c b a ");
}

TEST_F(SqliteOutbox, ASecondAddChangesNothing) {
  add("a");
  ASSERT_TRUE(outbox_->mark_seen(std::vector<std::string>{"a"}, now_));
  ASSERT_TRUE(outbox_->add(std::vector{Submission{"a", "other"}}));
  EXPECT_EQ(due(now_), "");
  EXPECT_EQ(due(now_ + 1s), "a ");
}

TEST_F(SqliteOutbox, WhatIsRemovedIsGone) {
  add("a");
  add("b");
  ASSERT_TRUE(outbox_->remove(std::vector<std::string>{"a", "unknown"}));
  EXPECT_EQ(due({}), "b ");
  EXPECT_EQ(outbox_->size().value(), 1U);
  EXPECT_EQ(query("queue.sqlite", "SELECT count(*) FROM outbox_entries"), "1");
}

TEST_F(SqliteOutbox, SurvivesItsProcess) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (make_sqlite_outbox(dir_)->add(std::vector{Submission{"a", "a entry"}})) ::kill(::getpid(), SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(due({}), "a ");
}

TEST_F(SqliteOutbox, SharesItsFileWithTheQueueAndTheKeys) {
  const auto queue = make_sqlite_queue(dir_);
  const auto keys = make_sqlite_idempotency_store(dir_);
  ASSERT_TRUE(queue->put(std::vector{Submission{"a", "a"}}));
  add("a");
  ASSERT_TRUE(keys->claim("k", "f", "c", 1s));
  ASSERT_TRUE(queue->put(std::vector{Submission{"b", "b"}}));
  EXPECT_EQ(queue->depth()->waiting, 2U);
}

}  // namespace
}  // namespace outrigger::store::sqlite
