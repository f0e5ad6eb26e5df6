#include "store_sqlite/database.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "store_sql/test_record.h"
#include "store_sqlite/stores.h"
#include "store_sqlite/test_directory.h"

namespace outrigger::store::sqlite {
namespace {

using sql::test_record;

constexpr uid_t kNobody = 65534;

using SqliteFile = DirectoryTest;

std::vector<model::RunRecord> batch(const std::string& prefix, int size) {
  std::vector<model::RunRecord> records;
  for (int i = 0; i < size; ++i) records.push_back(test_record(prefix + std::to_string(i)));
  return records;
}

// What the daemon has become when it writes. Exit status 0, or the number of the line that failed.
int write_without_rights(int dir_fd, const std::filesystem::path& path) {
  if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return __LINE__ % 256;
  if (::prctl(PR_SET_DUMPABLE, 0) != 0) return __LINE__ % 256;
  if (::access((path / "audit.sqlite").c_str(), F_OK) == 0 || errno != EACCES) return __LINE__ % 256;
  const auto store = make_sqlite_audit_store(dir_fd);
  if (!store->open()) return __LINE__ % 256;
  if (!store->insert(batch("a", 300))) return __LINE__ % 256;
  if (const auto found = store->find("a299"); !found || !*found) return __LINE__ % 256;
  struct stat wal{};
  if (::fstatat(dir_fd, "audit.sqlite-wal", &wal, 0) != 0 || wal.st_size == 0) return __LINE__ % 256;
  if (::fstatat(dir_fd, "audit.sqlite-shm", &wal, 0) != 0) return __LINE__ % 256;
  return 0;
}

TEST_F(SqliteFile, IsReachedThroughTheDescriptorWhereThePathIsClosed) {
  const auto closed = path_ / "closed";
  const auto inner = closed / "state";
  std::filesystem::create_directories(inner);
  const base::UniqueFd dir(::open(inner.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (::geteuid() == 0) {
    ASSERT_EQ(::fchown(dir.get(), kNobody, kNobody), 0);
  }
  ASSERT_EQ(::chmod(closed.c_str(), 0), 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(write_without_rights(dir.get(), inner));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(::chmod(closed.c_str(), 0700), 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the line";
}

TEST_F(SqliteFile, IsForItsOwnerAlone) {
  ASSERT_TRUE(make_sqlite_audit_store(dir_)->open());
  const auto store = make_sqlite_audit_store(dir_);
  ASSERT_TRUE(store->insert(batch("a", 1)));
  for (const char* name : {"audit.sqlite", "audit.sqlite-wal", "audit.sqlite-shm"}) {
    struct stat file{};
    ASSERT_EQ(::fstatat(dir_, name, &file, 0), 0) << name;
    EXPECT_EQ(file.st_mode & 0777, 0600U) << name;
  }
}

TEST_F(SqliteFile, ALinkIsNotFollowed) {
  ASSERT_EQ(::symlinkat("elsewhere", dir_, "audit.sqlite"), 0);
  const auto opened = make_sqlite_audit_store(dir_)->open();
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, base::Code::kSystem);
  EXPECT_FALSE(std::filesystem::exists(path_ / "elsewhere"));
}

TEST_F(SqliteFile, WhatIsNoDatabaseIsNamedWithTheRemedy) {
  std::ofstream(path_ / "audit.sqlite") << std::string(8192, 'x');
  const auto store = make_sqlite_audit_store(dir_);
  const auto opened = store->open();
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, base::Code::kSystem);
  EXPECT_NE(opened.error().text().find("audit.sqlite is damaged"), std::string::npos) << opened.error().text();
  EXPECT_NE(opened.error().text().find("move it"), std::string::npos) << opened.error().text();
  std::filesystem::rename(path_ / "audit.sqlite", path_ / "old");
  EXPECT_TRUE(store->insert(batch("a", 1)));
}

TEST_F(SqliteFile, DamageInTheMiddleIsAnErrorAndNoCrash) {
  ASSERT_TRUE(make_sqlite_audit_store(dir_)->insert(batch("a", 300)));
  const auto size = std::filesystem::file_size(path_ / "audit.sqlite");
  write("audit.sqlite", 4096, std::string(size - 4096, '\x5a'));
  const auto store = make_sqlite_audit_store(dir_);
  const auto inserted = store->insert(batch("b", 1));
  ASSERT_FALSE(inserted.has_value());
  EXPECT_EQ(inserted.error().code, base::Code::kSystem);
  EXPECT_NE(inserted.error().text().find("audit.sqlite is damaged"), std::string::npos) << inserted.error().text();
  EXPECT_FALSE(store->list({}).has_value());
  EXPECT_FALSE(store->find("a1").has_value());
}

TEST_F(SqliteFile, ATruncatedFileIsAnErrorAndNoCrash) {
  ASSERT_TRUE(make_sqlite_audit_store(dir_)->insert(batch("a", 300)));
  std::filesystem::resize_file(path_ / "audit.sqlite", 3 * 4096 + 100);
  const auto store = make_sqlite_audit_store(dir_);
  const auto listed = store->list({});
  ASSERT_FALSE(listed.has_value());
  EXPECT_EQ(listed.error().code, base::Code::kSystem);
}

TEST_F(SqliteFile, ThatWasMovedAwayIsMadeAnew) {
  const auto store = make_sqlite_audit_store(dir_);
  ASSERT_TRUE(store->insert(batch("a", 1)));
  for (const char* name : {"audit.sqlite", "audit.sqlite-wal", "audit.sqlite-shm"}) {
    std::filesystem::rename(path_ / name, path_ / (std::string("old-") + name));
  }
  ASSERT_TRUE(store->insert(batch("b", 1)));
  EXPECT_EQ(query("audit.sqlite", "SELECT job_id FROM execution_runs"), "b0");
}

TEST_F(SqliteFile, OfANewerProgramIsLeftAlone) {
  ASSERT_TRUE(make_sqlite_audit_store(dir_)->open());
  execute("audit.sqlite", "INSERT INTO schema_migrations VALUES (99, 'from_the_future', '')");
  const auto opened = make_sqlite_audit_store(dir_)->open();
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, base::Code::kConflict);
}

TEST_F(SqliteFile, IsMigratedOnceHoweverManyOpenIt) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this] {
      const auto opened = make_sqlite_audit_store(dir_)->open();
      EXPECT_TRUE(opened.has_value()) << opened.error().text();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(query("audit.sqlite", "SELECT count(*) FROM schema_migrations"),
            std::to_string(sql::sqlite_migrations().size()));
}

TEST_F(SqliteFile, AFullDiskIsAnErrorAndNothingIsHalfWritten) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1U << 18, 1U << 18};  // of a file's size: the WAL soon meets it
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(1);
    const auto store = make_sqlite_audit_store(dir_);
    if (!store->insert(batch("a", 10))) ::_exit(2);
    const auto refused = store->insert(batch("b", 1000));
    if (refused || refused.error().code != base::Code::kSystem) ::_exit(3);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(query("audit.sqlite", "SELECT count(*) FROM execution_runs"), "10");
}

TEST_F(SqliteFile, AWriterThatHoldsTheLockTooLongIsAnError) {
  const auto store = make_sqlite_audit_store(dir_);
  ASSERT_TRUE(store->open());
  SQLite::Database other(path_ / "audit.sqlite", SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  const auto refused = store->insert(batch("a", 1));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::Code::kSystem);
  other.exec("ROLLBACK");
  EXPECT_TRUE(store->insert(batch("a", 1)));
}

TEST_F(SqliteFile, WithoutADirectoryIsAnError) {
  const auto opened = make_sqlite_audit_store(-1)->open();
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, base::Code::kSystem);
}

}  // namespace
}  // namespace outrigger::store::sqlite
