#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <mutex>
#include <set>
#include <thread>

#include "store_sqlite/database.h"
#include "store_sqlite/test_queue.h"

namespace outrigger::store::sqlite {
namespace {

using namespace std::chrono_literals;

// The queue of a daemon that dies and of the one after it.
class SqliteQueueCrash : public QueueTest {
 protected:
  // Runs `work` in a process that is killed when it is done.
  template <typename Work>
  void in_killed_process(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (work()) ::kill(::getpid(), SIGKILL);
      ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it failed";
  }
};

TEST_F(SqliteQueueCrash, APutJobSurvivesItsProcess) {
  in_killed_process([&] {
    const auto queue = make_sqlite_queue(dir_);
    return queue->put(std::vector{Submission{"a", "a entry"}, Submission{"b", "b entry"}}).has_value();
  });
  EXPECT_EQ(taken(), "a:1 b:1 ");
}

TEST_F(SqliteQueueCrash, WhatWasRunningHasUsedUpAnAttempt) {
  in_killed_process([&] {
    const auto queue = make_sqlite_queue(dir_);
    return queue->put(
               std::vector{Submission{"a", "a entry"}, Submission{"b", "b entry"}, Submission{"c", "c entry"}}) &&
           queue->take(2, 0ms, identify_test_entry)->size() == 2;
  });
  ASSERT_TRUE(queue_->open());
  EXPECT_EQ(state("a"), JobState::kQueued);
  const auto jobs = take();
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].job_id, "a");
  EXPECT_EQ(jobs[0].attempt, 2U);
  EXPECT_EQ(jobs[0].last_failure, "the daemon died while attempt 1 ran");
  EXPECT_EQ(jobs[1].job_id, "b");
  EXPECT_EQ(jobs[2].attempt, 1U);
}

TEST_F(SqliteQueueCrash, AnotherObjectOfThisProcessKeepsWhatItRuns) {
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  ASSERT_TRUE(make_sqlite_queue(dir_, "queue.sqlite", {.worker = "other"})->open());
  EXPECT_EQ(state("a"), JobState::kRunning);
  EXPECT_EQ(finish("a", 1), Settled::kFinal);
}

TEST_F(SqliteQueueCrash, ACommitWaitsForTheDisk) {
  Database database(dir_, "queue.sqlite", queue_schema());
  const auto sync = database.run("test", [](Connection& connection) {
    Prepared pragma = connection.prepare("PRAGMA synchronous");
    pragma.step();
    return pragma.number_at(0);
  });
  constexpr int kFull = 2;
  EXPECT_EQ(sync.value(), kFull);
}

TEST_F(SqliteQueueCrash, TwoObjectsHandOutEachJobOnce) {
  constexpr std::size_t kJobs = 300;
  std::mutex mutex;
  std::multiset<std::string> finished;
  const auto work = [&](const std::string& worker) {
    const auto queue = make_sqlite_queue(dir_, "queue.sqlite", {.worker = worker});
    while (true) {
      const auto jobs = queue->take(4, 100ms, identify_test_entry);
      ASSERT_TRUE(jobs.has_value()) << jobs.error().text();
      for (const auto& job : *jobs) {
        const auto settled = queue->finish({job.job_id, job.attempt}, "{}", 1h);
        ASSERT_TRUE(settled.has_value()) << settled.error().text();
        const std::lock_guard lock(mutex);
        if (*settled == Settled::kFinal) finished.insert(job.job_id);
      }
      const std::lock_guard lock(mutex);
      if (finished.size() >= kJobs) return;
    }
  };
  std::thread first(work, "w1");
  std::thread second(work, "w2");
  for (std::size_t i = 0; i < kJobs; i += 2) {
    const std::string id = std::to_string(i);
    const std::string next = std::to_string(i + 1);
    const std::vector jobs{Submission{id, id + " x"}, Submission{next, next + " x"}};
    const auto done = queue_->put(jobs);
    ASSERT_TRUE(done.has_value()) << done.error().text();
  }
  first.join();
  second.join();
  EXPECT_EQ(finished.size(), kJobs);
  EXPECT_EQ(std::set<std::string>(finished.begin(), finished.end()).size(), kJobs);
}

}  // namespace
}  // namespace outrigger::store::sqlite
