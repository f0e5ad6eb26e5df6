#include "ledger/appender.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <thread>

#include "ledger/query.h"
#include "ledger/test_ledger.h"

namespace outrigger::ledger {
namespace {

bool readable(int fd, int timeout_ms) {
  pollfd wanted{fd, POLLIN, 0};
  return ::poll(&wanted, 1, timeout_ms) == 1;
}

TEST(LedgerAppender, WritesAChainThatVerifies) {
  const TestDir dir;
  {
    const auto appender = open_appender(dir);
    add_numbers(*appender, 0, 10);
    const AppenderState state = appender->state();
    EXPECT_EQ(state.lines_written, 10U);
    EXPECT_EQ(state.queued, 0U);
    EXPECT_EQ(state.errors, 0U);
    EXPECT_EQ(state.trouble, "");
    EXPECT_EQ(state.head, **head(dir.fd(), kTestName));
  }
  const Verification result = verify_or_fail(dir);
  EXPECT_EQ(summary(result), "");
  EXPECT_EQ(result.lines, 10U);
  EXPECT_EQ(result.segments, 1U);
  EXPECT_EQ(result.first_seq, 1U);
  EXPECT_EQ(result.head.seq, 10U);
}

TEST(LedgerAppender, GoesOnWhereTheOneBeforeEnded) {
  const TestDir dir;
  for (int i = 0; i < 5; ++i) {
    const auto appender = open_appender(dir);
    EXPECT_EQ(appender->durable(), static_cast<std::uint64_t>(3 * i));
    EXPECT_EQ(appender->opening().cut_bytes, 0U);
    EXPECT_FALSE(appender->opening().broken.has_value());
    add_numbers(*appender, 3 * i, 3);
  }
  EXPECT_EQ(summary(verify_or_fail(dir)), "");
  const auto lines = dir.lines();
  ASSERT_EQ(lines.size(), 15U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(parse_line(lines[i])->members, "\"n\":" + std::to_string(i));
  }
}

TEST(LedgerAppender, ATicketIsTheLinesNumber) {
  const TestDir dir;
  const auto appender = open_appender(dir);
  EXPECT_EQ(appender->add("\"n\":0").value(), 1U);
  EXPECT_EQ(appender->add("\"n\":1").value(), 2U);
}

TEST(LedgerAppender, GoesOnInAnotherFileWhenOneIsFull) {
  const TestDir dir;
  {
    const auto appender = open_appender(dir, {.segment_bytes = 1000});
    for (int i = 0; i < 30; ++i) add_numbers(*appender, i, 1);
    add_numbers(*appender, 30, 70);
  }
  EXPECT_EQ(dir.segments().front().filename(), "execution-000000000001.jsonl");
  EXPECT_GE(dir.segments().size(), 25U);
  for (const auto& file : dir.segments()) EXPECT_LE(std::filesystem::file_size(file), 1000U);
  const Verification result = verify_or_fail(dir);
  EXPECT_EQ(summary(result), "");
  EXPECT_EQ(result.lines, 100U);
}

TEST(LedgerAppender, ALineMayBeLongerThanAFileShouldBe) {
  const TestDir dir;
  {
    const auto appender = open_appender(dir, {.segment_bytes = 1000});
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(appender->add("\"x\":\"" + std::string(3000, 'x') + "\"").has_value());
  }
  EXPECT_EQ(dir.segments().size(), 4U);
  EXPECT_EQ(summary(verify_or_fail(dir)), "");
}

TEST(LedgerAppender, RefusesASecondWriterAndSaysWhoTheFirstIs) {
  const TestDir dir;
  auto first = open_appender(dir);
  const auto second = Appender::open(dir.fd(), kTestName);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, base::Code::kConflict);
  EXPECT_NE(second.error().context.find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().text();
  EXPECT_TRUE(Appender::open(dir.fd(), "incidents").has_value());
  first.reset();
  EXPECT_TRUE(Appender::open(dir.fd(), kTestName).has_value());
}

TEST(LedgerAppender, RefusesANameThatIsNone) {
  const TestDir dir;
  for (const std::string name : {"", "a/b", "../x", "Execution", "a.b"}) {
    const auto opened = Appender::open(dir.fd(), name);
    ASSERT_FALSE(opened.has_value()) << name;
    EXPECT_EQ(opened.error().code, base::Code::kInvalid);
  }
}

TEST(LedgerAppender, TellsByItsEventThatMoreIsOnTheDisk) {
  const TestDir dir;
  const auto appender = open_appender(dir);
  EXPECT_FALSE(readable(appender->durable_event(), 0));
  const std::uint64_t ticket = appender->add("\"n\":0").value();
  while (appender->take_durable() < ticket) ASSERT_TRUE(readable(appender->durable_event(), 60'000));
  EXPECT_EQ(appender->take_durable(), ticket);
  EXPECT_FALSE(readable(appender->durable_event(), 0));
}

TEST(LedgerAppender, RefusesWhatIsTooLarge) {
  const TestDir dir;
  const auto appender = open_appender(dir);
  EXPECT_EQ(appender->add(std::string(kMaxMembers + 1, 'x')).error().code, base::Code::kTooLarge);
  ASSERT_TRUE(
      appender->wait_durable(appender->add("\"x\":\"" + std::string(kMaxMembers - 6, 'x') + "\"").value(), soon()));
  EXPECT_EQ(summary(verify_or_fail(dir)), "");
}

TEST(LedgerAppender, ClosesWithAllThatWasAdded) {
  const TestDir dir;
  const auto appender = open_appender(dir);
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(appender->add("\"n\":" + std::to_string(i)).has_value());
  EXPECT_EQ(appender->close(std::chrono::seconds(60)), 0U);
  EXPECT_EQ(appender->durable(), 5000U);
  EXPECT_EQ(appender->add("\"n\":1").error().code, base::Code::kUnavailable);
  EXPECT_EQ(verify_or_fail(dir).lines, 5000U);
}

// Each thread says who it is and counts; each ticket is one line, and one thread's lines keep their order.
TEST(LedgerAppender, ManyThreadsShareItWithoutLossOrDisorder) {
  constexpr int kThreads = 8;
  constexpr int kEach = 500;
  const TestDir dir;
  std::array<std::vector<std::uint64_t>, kThreads> tickets;
  {
    const auto appender = open_appender(dir, {.segment_bytes = 100'000});
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) {
          const auto ticket = appender->add("\"t\":" + std::to_string(t) + ",\"i\":" + std::to_string(i));
          tickets.at(static_cast<std::size_t>(t)).push_back(ticket.value());
          if (i % 100 == 0) EXPECT_TRUE(appender->wait_durable(*ticket, soon()));
        }
      });
    }
    threads.clear();
    EXPECT_TRUE(appender->wait_durable(kThreads * kEach, soon()));
  }
  const auto lines = dir.lines();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(kThreads * kEach));
  std::map<std::uint64_t, std::string> expected;
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < kEach; ++i) {
      expected[tickets.at(static_cast<std::size_t>(t)).at(static_cast<std::size_t>(i))] =
          "\"t\":" + std::to_string(t) + ",\"i\":" + std::to_string(i);
    }
    EXPECT_TRUE(std::ranges::is_sorted(tickets.at(static_cast<std::size_t>(t))));
  }
  ASSERT_EQ(expected.size(), lines.size());
  for (const std::string& line : lines) EXPECT_EQ(parse_line(line)->members, expected[parse_line(line)->seq]);
  EXPECT_EQ(summary(verify_or_fail(dir)), "");
}

}  // namespace
}  // namespace outrigger::ledger
