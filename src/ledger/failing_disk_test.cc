#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "ledger/appender.h"
#include "ledger/test_ledger.h"
#include "ledger/trouble.h"
#include "ledger/unreliable_file.h"

// Disks that are full or fail: nothing acknowledged is lost, nothing is there twice.
namespace outrigger::ledger {
namespace {

using std::chrono::milliseconds;

AppenderOptions unreliable(const TestDir& dir, Mishaps& mishaps, std::uint64_t segment_bytes = 1U << 20) {
  AppenderOptions options;
  options.segment_bytes = segment_bytes;
  options.first_pause = milliseconds(1);
  options.longest_pause = milliseconds(2);
  options.closing_time = milliseconds(60'000);
  options.open_segment = [&](int fd, const std::string& file,
                             bool create) -> base::Result<std::unique_ptr<SegmentFile>> {
    if (mishaps.strikes()) return base::system_error("test", "open", ENOSPC);
    auto real = open_segment_file(fd, file, create);
    if (!real) return real;
    return std::make_unique<UnreliableFile>(mishaps, std::move(*real), dir.path() / file);
  };
  return options;
}

void expect_numbers(const TestDir& dir, int count) {
  const auto lines = dir.lines();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto line = parse_line(lines[static_cast<std::size_t>(i)]);
    ASSERT_TRUE(line.has_value());
    ASSERT_EQ(line->seq, static_cast<std::uint64_t>(i + 1));
    ASSERT_EQ(line->members, "\"n\":" + std::to_string(i));
  }
  EXPECT_EQ(summary(verify_or_fail(dir)), "");
}

void wait_for_error(const Appender& appender) {
  const auto deadline = soon();
  while (appender.state().errors == 0) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(milliseconds(1));
  }
}

TEST(LedgerFailingDisk, RandomFailuresLoseNothingAndDoubleNothing) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const TestDir dir;
    Mishaps mishaps;
    mishaps.random.seed(seed);
    std::uint64_t errors = 0;
    {
      const auto appender = open_appender(dir, unreliable(dir, mishaps, 3000));
      // The file is the writer thread's from here on; before the first line it does nothing.
      mishaps.one_in = 6;
      for (int i = 0; i < 200; ++i) {
        const auto ticket = appender->add("\"n\":" + std::to_string(i));
        ASSERT_TRUE(ticket.has_value());
        if (i % 5 != 0) continue;
        ASSERT_TRUE(appender->wait_durable(*ticket, soon()));
        // What is acknowledged is in the files now, whatever else is.
        const auto lines = dir.lines();
        ASSERT_GE(lines.size(), static_cast<std::size_t>(i + 1));
      }
      ASSERT_TRUE(appender->wait_durable(200, soon()));
      errors = appender->state().errors;
      EXPECT_EQ(appender->state().trouble, "");
    }
    EXPECT_GT(errors, 0U);
    expect_numbers(dir, 200);
  }
}

TEST(LedgerFailingDisk, LinesWaitAndTheOperatorIsToldWhatToDo) {
  const TestDir dir;
  Mishaps mishaps;
  const auto appender = open_appender(dir, unreliable(dir, mishaps));
  add_numbers(*appender, 0, 3);
  mishaps.errno_for_writes = ENOSPC;
  const std::uint64_t ticket = appender->add("\"n\":3").value();
  wait_for_error(*appender);
  const AppenderState state = appender->state();
  EXPECT_EQ(state.queued, 1U);
  EXPECT_EQ(state.head.seq, 3U);
  EXPECT_EQ(appender->durable(), 3U);
  EXPECT_NE(state.trouble.find("1 line waits"), std::string::npos) << state.trouble;
  EXPECT_NE(state.trouble.find("free space"), std::string::npos) << state.trouble;
  mishaps.errno_for_writes = 0;
  EXPECT_TRUE(appender->wait_durable(ticket, soon()));
  EXPECT_EQ(appender->state().trouble, "");
  EXPECT_GE(appender->state().errors, 1U);
  expect_numbers(dir, 4);
}

TEST(LedgerFailingDisk, AFailedSyncAcknowledgesNothing) {
  const TestDir dir;
  Mishaps mishaps;
  const auto appender = open_appender(dir, unreliable(dir, mishaps));
  add_numbers(*appender, 0, 3);
  mishaps.fail_sync = true;
  const std::uint64_t ticket = appender->add("\"n\":3").value();
  wait_for_error(*appender);
  EXPECT_EQ(appender->durable(), 3U);
  mishaps.fail_sync = false;
  EXPECT_TRUE(appender->wait_durable(ticket, soon()));
  expect_numbers(dir, 4);
}

TEST(LedgerFailingDisk, RefusesMoreThanMayWait) {
  const TestDir dir;
  Mishaps mishaps;
  mishaps.errno_for_writes = EIO;
  AppenderOptions options = unreliable(dir, mishaps);
  options.max_queued = 10;
  const auto appender = open_appender(dir, options);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(appender->add("\"n\":" + std::to_string(i)).has_value());
  EXPECT_EQ(appender->add("\"n\":10").error().code, base::Code::kExhausted);
  EXPECT_EQ(appender->queued(), 10U);
  mishaps.errno_for_writes = 0;
  EXPECT_TRUE(appender->wait_durable(10, soon()));
  EXPECT_EQ(appender->queued(), 0U);
  add_numbers(*appender, 10, 1);
  expect_numbers(dir, 11);
}

TEST(LedgerFailingDisk, ClosingGivesUpInTheEndAndSaysWhatIsLeft) {
  const TestDir dir;
  Mishaps mishaps;
  const auto appender = open_appender(dir, unreliable(dir, mishaps));
  add_numbers(*appender, 0, 2);
  mishaps.errno_for_writes = EIO;
  ASSERT_TRUE(appender->add("\"n\":2").has_value());
  ASSERT_TRUE(appender->add("\"n\":3").has_value());
  EXPECT_EQ(appender->close(milliseconds(20)), 2U);
  EXPECT_FALSE(appender->wait_durable(3, soon()));
  expect_numbers(dir, 2);
}

TEST(LedgerFailingDisk, GoesOnInANewFileWhenOneIsRemoved) {
  const TestDir dir;
  Mishaps mishaps;
  {
    const auto appender = open_appender(dir, unreliable(dir, mishaps));
    add_numbers(*appender, 0, 3);
    std::filesystem::remove(dir.segments().front());
    add_numbers(*appender, 3, 2);
  }
  EXPECT_EQ(dir.lines().size(), 2U);
  EXPECT_EQ(summary(verify_or_fail(dir)), "removed 1");
}

TEST(LedgerFailingDisk, WhatAnotherWroteIntoTheFileIsLeftAndFound) {
  const TestDir dir;
  Mishaps mishaps;
  {
    const auto appender = open_appender(dir, unreliable(dir, mishaps));
    add_numbers(*appender, 0, 2);
    const base::UniqueFd fd(::open(dir.segments().front().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    ASSERT_EQ(::write(fd.get(), "foreign\n", 8), 8);
    add_numbers(*appender, 2, 1);
    // A failure afterwards must not cut off by the old measure.
    mishaps.fail_sync = true;
    const std::uint64_t ticket = appender->add("\"n\":3").value();
    wait_for_error(*appender);
    mishaps.fail_sync = false;
    EXPECT_TRUE(appender->wait_durable(ticket, soon()));
  }
  EXPECT_EQ(dir.lines().size(), 5U);
  const Verification result = verify_or_fail(dir);
  EXPECT_EQ(summary(result), "inserted 0");
  EXPECT_EQ(result.head.seq, 4U);
}

// The kernel's own refusal, after it took a part of the line.
TEST(LedgerFailingDisk, ARealLimitOnTheFilesSizeIsWaitedOut) {
  const TestDir dir;
  Mishaps mishaps;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  {
    const auto appender = open_appender(dir, unreliable(dir, mishaps));
    add_numbers(*appender, 0, 2);
    const rlimit tight{std::filesystem::file_size(dir.segments().front()) + 100, old.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const std::uint64_t ticket = appender->add("\"n\":2").value();
    wait_for_error(*appender);
    const std::string trouble = appender->state().trouble;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
    EXPECT_NE(trouble.find("EFBIG"), std::string::npos) << trouble;
    EXPECT_TRUE(appender->wait_durable(ticket, soon()));
  }
  std::signal(SIGXFSZ, handler);
  expect_numbers(dir, 3);
}

// In a child with mounts of its own. Gives 0, or the number of the step that failed.
int fill_a_small_file_system(const TestDir& dir) {
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 1;
  if (::mount("none", dir.path().c_str(), "tmpfs", 0, "size=256k") != 0) return 2;
  const base::UniqueFd fd(::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  AppenderOptions options;
  options.segment_bytes = 50'000;
  options.first_pause = milliseconds(1);
  options.longest_pause = milliseconds(5);
  const auto appender = Appender::open(fd.get(), kTestName, options);
  if (!appender) return 3;
  std::uint64_t ticket = 0;
  for (int i = 0; i < 400; ++i) ticket = (*appender)->add("\"x\":\"" + std::string(1000, 'x') + "\"").value();
  while ((*appender)->state().errors < 3) std::this_thread::sleep_for(milliseconds(1));
  const AppenderState full = (*appender)->state();
  if (full.trouble.find("ENOSPC") == std::string::npos || full.queued == 0) return 4;
  if (verify(fd.get(), kTestName)->head.seq < full.head.seq) return 5;
  if (::mount("none", dir.path().c_str(), "tmpfs", MS_REMOUNT, "size=16m") != 0) return 6;
  if (!(*appender)->wait_durable(ticket, soon())) return 7;
  const auto result = verify(fd.get(), kTestName);
  return result && result->sound() && result->lines == 400 ? 0 : 8;
}

TEST(LedgerFailingDisk, AFullFileSystemIsWaitedOut) {
  const TestDir dir;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(fill_a_small_file_system(dir));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "step";
}

TEST(LedgerTrouble, SaysWhatFailedAndWhatToDo) {
  const std::string text =
      trouble_sentence("incidents", base::Error{"ledger_write", base::Code::kSystem, EROFS, "f"}, 2);
  EXPECT_NE(text.find("EROFS"), std::string::npos) << text;
  EXPECT_NE(text.find("2 lines wait"), std::string::npos) << text;
  EXPECT_NE(text.find("read-only"), std::string::npos) << text;
}

}  // namespace
}  // namespace outrigger::ledger
