#include "audit/trail.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <filesystem>
#include <map>
#include <thread>

namespace outrigger::audit {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A database in memory that can be away, and refuses rows of the tenant "poison".
struct Database {
  std::mutex mutex;
  std::map<std::string, model::RunRecord> rows;
  std::size_t inserted = 0;  // rows asked for, those that were there already too
  bool away = false;
  std::vector<std::chrono::system_clock::time_point> removals;  // until when it was asked for
};

class FakeStore final : public store::AuditStore {
 public:
  explicit FakeStore(Database& database) : database_(database) {}
  base::Status open() override { return check(); }
  base::Status insert(std::span<const model::RunRecord> records) override {
    const std::lock_guard lock(database_.mutex);
    if (auto here = check(); !here) return here;
    for (const auto& each : records) {
      if (each.outcome.tenant_id == "poison") return base::failure(base::Code::kInvalid, "insert", "poison");
    }
    for (const auto& each : records) database_.rows.emplace(each.outcome.job_id, each);
    database_.inserted += records.size();
    return {};
  }
  base::Result<std::vector<model::RunRecord>> list(const store::RunQuery&) override {
    const std::lock_guard lock(database_.mutex);
    if (auto here = check(); !here) return std::unexpected(here.error());
    std::vector<model::RunRecord> all;
    for (const auto& [id, row] : database_.rows) all.push_back(row);
    return all;
  }
  base::Result<std::optional<model::RunRecord>> find(const std::string& job_id) override {
    const std::lock_guard lock(database_.mutex);
    if (auto here = check(); !here) return std::unexpected(here.error());
    const auto found = database_.rows.find(job_id);
    return found == database_.rows.end() ? std::nullopt : std::optional(found->second);
  }
  base::Result<std::size_t> remove_ended_before(std::chrono::system_clock::time_point time, std::size_t) override {
    const std::lock_guard lock(database_.mutex);
    database_.removals.push_back(time);
    return std::erase_if(database_.rows, [time](const auto& row) { return row.second.outcome.ended_at < time; });
  }

 private:
  base::Status check() const {
    if (database_.away) return base::failure(base::Code::kSystem, "fake", "away");
    return {};
  }
  Database& database_;
};

model::RunRecord run(const std::string& job_id, model::Origin origin = model::Origin::kDirect) {
  model::RunRecord record;
  record.outcome.job_id = job_id;
  record.outcome.tenant_id = "acme";
  record.outcome.language = "python";
  record.outcome.status = model::Status::kCompleted;
  record.outcome.cause = {"exited", "exited with status 0"};
  record.outcome.started_at = record.outcome.ended_at = record.received_at = std::chrono::system_clock::now();
  record.code_sha256 = std::string(64, '0');
  record.command = "python3";
  record.origin = origin;
  return record;
}

class TrailTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/trail-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::unique_ptr<Trail> trail(TrailOptions options = {}) {
    options.node = "n1";
    options.sink = "fake";
    return std::make_unique<Trail>(
        base::UniqueFd(::open(dir_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
        [this] { return std::make_unique<FakeStore>(database_); }, options);
  }
  std::string status_of(const std::string& job_id) {
    const std::lock_guard lock(database_.mutex);
    const auto found = database_.rows.find(job_id);
    return found == database_.rows.end() ? "none" : std::string(model::status_name(found->second.outcome.status));
  }
  // Everything told is in the database when it returns.
  static void finish(Trail& trail) { trail.stop(60s); }

  fs::path dir_;
  Database database_;
};

TEST_F(TrailTest, OneRowAJob) {
  const auto one = trail();
  ASSERT_TRUE(one->open().has_value());
  one->start();
  for (int i = 0; i < 300; ++i) {
    const auto record = run("job" + std::to_string(i));
    one->begin(record);
    one->end(record);
  }
  finish(*one);
  EXPECT_EQ(database_.rows.size(), 300U);
  EXPECT_EQ(database_.inserted, 300U);
  EXPECT_EQ(database_.rows.at("job7").node, "n1");
}

TEST_F(TrailTest, AnOrderlyEndLeavesNothingToReadAgain) {
  const auto one = trail();
  ASSERT_TRUE(one->open().has_value());
  one->start();
  one->begin(run("a"));
  one->end(run("a"));
  finish(*one);
  EXPECT_EQ(one->state().spool_bytes, 0U);
  const auto two = trail();
  ASSERT_TRUE(two->open().has_value());
  two->start();
  finish(*two);
  EXPECT_EQ(database_.inserted, 1U);
}

TEST_F(TrailTest, AJobWhoseDaemonDiedIsInterrupted) {
  {
    const auto first = trail();
    ASSERT_TRUE(first->open().has_value());
    first->begin(run("ended"));
    first->end(run("ended"));
    first->begin(run("running"));
    first->begin(run("queued", model::Origin::kQueue));
  }  // without stop(): nothing was written
  const auto second = trail();
  const auto recovered = second->open();
  ASSERT_TRUE(recovered.has_value());
  ASSERT_EQ(recovered->unreported.size(), 1U);
  EXPECT_EQ(recovered->unreported[0].outcome.job_id, "running");
  second->start();
  finish(*second);
  EXPECT_EQ(status_of("ended"), "completed");
  EXPECT_EQ(status_of("running"), "interrupted");
  EXPECT_EQ(status_of("queued"), "none") << "another attempt tells of it";
  EXPECT_GE(database_.rows.at("running").outcome.ended_at, database_.rows.at("running").outcome.started_at);
}

TEST_F(TrailTest, AJobThatEndedAtTheLastMomentIsReportedByItsCard) {
  {
    const auto first = trail();
    ASSERT_TRUE(first->open().has_value());
    for (const char* id : {"with-card", "without"}) {
      first->begin(run(id));
      first->end(run(id));
    }
  }
  const auto second = trail();
  const auto recovered = second->open({"with-card", "of-another-time"});
  ASSERT_TRUE(recovered.has_value());
  ASSERT_EQ(recovered->unreported.size(), 1U);
  EXPECT_EQ(recovered->unreported[0].outcome.job_id, "with-card");
  EXPECT_EQ(recovered->unreported[0].outcome.status, model::Status::kCompleted);
}

TEST_F(TrailTest, AHeldRowWaitsForItsWord) {
  {
    const auto first = trail();
    ASSERT_TRUE(first->open().has_value());
    first->start();
    for (const char* id : {"kept", "dropped", "unsettled"}) {
      first->begin(run(id, model::Origin::kQueue));
      first->hold(run(id, model::Origin::kQueue));
    }
    first->settle("kept", true);
    first->settle("dropped", false);
    finish(*first);
  }
  EXPECT_EQ(status_of("kept"), "completed");
  EXPECT_EQ(status_of("dropped"), "none");
  const auto second = trail();
  const auto recovered = second->open();
  ASSERT_TRUE(recovered.has_value());
  ASSERT_EQ(recovered->held.size(), 1U);
  second->start();
  second->settle("unsettled", true);
  finish(*second);
  EXPECT_EQ(status_of("unsettled"), "completed");
  EXPECT_EQ(status_of("dropped"), "none");
}

TEST_F(TrailTest, WhatIsOpenOutlivesTheFileItWasToldIn) {
  TrailOptions small;
  small.journal.segment_bytes = 4096;
  {
    const auto first = trail(small);
    ASSERT_TRUE(first->open().has_value());
    first->start();
    first->begin(run("long"));
    for (int i = 0; i < 100; ++i) {
      first->begin(run("job" + std::to_string(i)));
      first->end(run("job" + std::to_string(i)));
    }
    finish(*first);
    EXPECT_LT(first->state().spool_bytes, 30'000U) << "files that were read to their end are gone";
  }
  const auto second = trail(small);
  const auto recovered = second->open();
  ASSERT_TRUE(recovered.has_value());
  ASSERT_EQ(recovered->unreported.size(), 1U);
  EXPECT_EQ(recovered->unreported[0].outcome.job_id, "long");
}

TEST_F(TrailTest, KeepsEverythingWhileTheDatabaseIsAway) {
  database_.away = true;
  {
    const auto first = trail();
    ASSERT_TRUE(first->open().has_value());
    first->start();
    for (int i = 0; i < 50; ++i) first->end(run("early" + std::to_string(i)));
    first->stop(0ms);
    EXPECT_TRUE(first->state().database_away);
  }
  const auto second = trail();
  ASSERT_TRUE(second->open().has_value());
  second->start();
  for (int i = 0; i < 50; ++i) second->end(run("late" + std::to_string(i)));
  {
    const std::lock_guard lock(database_.mutex);
    database_.away = false;
  }
  finish(*second);
  EXPECT_EQ(database_.rows.size(), 100U);
  EXPECT_FALSE(second->state().database_away);
}

TEST_F(TrailTest, ARowTheDatabaseRefusesKeepsNoOtherOut) {
  const auto one = trail();
  ASSERT_TRUE(one->open().has_value());
  for (int i = 0; i < 10; ++i) {
    auto record = run("job" + std::to_string(i));
    if (i == 4) record.outcome.tenant_id = "poison";
    one->end(record);
  }
  one->start();
  finish(*one);
  EXPECT_EQ(database_.rows.size(), 9U);
  EXPECT_EQ(one->state().rejected, 1U);
  EXPECT_GT(fs::file_size(dir_ / "rejected.jsonl"), 100U);
}

TEST_F(TrailTest, AFullSpoolKeepsSomeInMemoryAndCountsTheRest) {
  database_.away = true;
  TrailOptions tiny;
  tiny.journal.max_bytes = 4096;
  tiny.max_in_memory = 5;
  tiny.refuse_when_full = true;
  const auto one = trail(tiny);
  ASSERT_TRUE(one->open().has_value());
  one->start();
  for (int i = 0; i < 20; ++i) one->end(run("job" + std::to_string(i)));
  const TrailState full = one->state();
  EXPECT_TRUE(full.spool_full);
  EXPECT_EQ(full.in_memory, 5U);
  EXPECT_GT(full.lost, 0U);
  const auto refused = one->admit();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::Code::kUnavailable);
  {
    const std::lock_guard lock(database_.mutex);
    database_.away = false;
  }
  finish(*one);
  EXPECT_EQ(database_.rows.size() + one->state().lost, 20U);
}

TEST_F(TrailTest, RemovesWhatIsOlderThanItsRetention) {
  TrailOptions options;
  options.retention = std::chrono::hours{48};
  const auto one = trail(options);
  ASSERT_TRUE(one->open().has_value());
  auto old = run("old");
  old.outcome.ended_at -= std::chrono::hours{49};
  one->end(old);
  one->end(run("new"));
  one->start();
  const auto asked = [this] {
    const std::lock_guard lock(database_.mutex);
    return !database_.removals.empty();
  };
  for (int i = 0; i < 60'000 && !asked(); ++i) std::this_thread::sleep_for(1ms);
  finish(*one);
  EXPECT_EQ(status_of("old"), "none");
  EXPECT_EQ(status_of("new"), "completed");
}

TEST_F(TrailTest, RemovesNothingUnlessItIsTold) {
  const auto one = trail();
  ASSERT_TRUE(one->open().has_value());
  auto old = run("old");
  old.outcome.ended_at -= std::chrono::hours{24 * 365 * 10};
  one->end(old);
  one->start();
  finish(*one);
  EXPECT_EQ(status_of("old"), "completed");
  EXPECT_TRUE(database_.removals.empty());
}

TEST_F(TrailTest, TextIsStoredByOneRule) {
  const auto one = trail();
  ASSERT_TRUE(one->open().has_value());
  auto record = run("odd");
  record.outcome.cause.text = std::string("a\0b\xff", 4);
  record.outcome.security_events = {{"tmpfs_full", std::string("\0", 1), 1, "", {}}};
  one->end(record);
  one->start();
  finish(*one);
  EXPECT_EQ(database_.rows.at("odd").outcome.cause.text,
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd");
  EXPECT_EQ(database_.rows.at("odd").outcome.security_events[0].detail, "\xef\xbf\xbd");
}

TEST_F(TrailTest, WhoAsksSeesWhatWasJustTold) {
  const auto one = trail();
  ASSERT_TRUE(one->open().has_value());
  one->start();
  asio::io_context context(1);
  for (int i = 0; i < 20; ++i) {
    const std::string id = "job" + std::to_string(i);
    one->end(run(id));
    auto found = asio::co_spawn(context, one->find(id), asio::use_future);
    context.restart();
    while (found.wait_for(0s) != std::future_status::ready) context.run_one();
    const auto answer = found.get();
    ASSERT_TRUE(answer.has_value());
    EXPECT_TRUE(answer->has_value()) << id;
  }
  finish(*one);
}

}  // namespace
}  // namespace outrigger::audit
