#include "ledger/query.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ledger/test_ledger.h"
#include "wire/time_text.h"

namespace outrigger::ledger {
namespace {

using std::chrono::hours;
using std::chrono::system_clock;

// Six lines an hour apart, two a file.
class LedgerQuery : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::string> members = {
        R"("job_id":"a","tenant_id":"acme","cause":"exited")",
        R"("job_id":"b","tenant_id":"acme","cause":"timed_out")",
        R"("job_id": "c","tenant_id":"other","cause":{"code":"exited","text":"x"})",
        R"("inner":{"job_id":"d"},"note":"\"job_id\":\"d\"")",
        R"("job_id":"e","rule":"refused calls","tenant_id":"acme")",
        R"("job_id":"f","tenant_id":"caf\u00e9","cause":"exited")",
    };
    Head head = before_first(kTestName);
    for (std::size_t i = 0; i < members.size(); i += 2) {
      std::string text;
      const std::string file = "execution-00000000000" + std::to_string(i + 1) + ".jsonl";
      head = append_line(text, head, wire::time_text(time(i)), members[i]);
      head = append_line(text, head, wire::time_text(time(i + 1)), members[i + 1]);
      dir_.write(file, text + (i == 4 ? "{\"unfinished\":\"job_id\"" : ""));
    }
    last_ = head;
  }
  static system_clock::time_point time(std::size_t line) {
    return *wire::parse_time("2025-01-31T09:00:00Z") + hours(line);
  }
  // The numbers of the lines that match.
  std::vector<std::uint64_t> found(const Filter& filter, Order order = Order::kOldestFirst) {
    std::vector<std::uint64_t> seqs;
    const auto done = find(dir_.fd(), kTestName, filter, order, [&](std::string_view line) {
      seqs.push_back(parse_line(line)->seq);
      return true;
    });
    EXPECT_TRUE(done.has_value());
    return seqs;
  }
  std::set<std::string> known_of(const std::set<std::string>& ids, system_clock::time_point since = {}) {
    return known(dir_.fd(), kTestName, ids, since).value();
  }

  TestDir dir_{Where::kMemory};
  Head last_;
};

using Seqs = std::vector<std::uint64_t>;
using Ids = std::set<std::string>;

TEST_F(LedgerQuery, ReadsFromEitherEnd) {
  EXPECT_EQ(found({}), (Seqs{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(found({}, Order::kNewestFirst), (Seqs{6, 5, 4, 3, 2, 1}));
}

TEST_F(LedgerQuery, EndsWhenItIsTold) {
  for (const Order order : {Order::kOldestFirst, Order::kNewestFirst}) {
    int count = 0;
    ASSERT_TRUE(for_each_line(dir_.fd(), kTestName, order, [&](std::string_view) { return ++count < 3; }).has_value());
    EXPECT_EQ(count, 3);
  }
}

TEST_F(LedgerQuery, FindsByTopLevelMembers) {
  EXPECT_EQ(found({.job_id = "c"}), Seqs{3});
  EXPECT_EQ(found({.tenant_id = "acme"}), (Seqs{1, 2, 5}));
  EXPECT_EQ(found({.tenant_id = "acme", .cause = "exited"}), Seqs{1});
  EXPECT_EQ(found({.rule = "refused calls"}), Seqs{5});
  EXPECT_EQ(found({.tenant_id = "caf\xc3\xa9"}), Seqs{6});
  EXPECT_EQ(found({.job_id = "d"}), Seqs{});
  EXPECT_EQ(found({.cause = "acme"}), Seqs{});
}

TEST_F(LedgerQuery, FindsSinceATime) {
  EXPECT_EQ(found({.since = time(3)}), (Seqs{4, 5, 6}));
  EXPECT_EQ(found({.cause = "exited", .since = time(1)}), (Seqs{3, 6}));
  EXPECT_EQ(found({.since = time(6)}), Seqs{});
}

TEST_F(LedgerQuery, TellsTheHeadWithoutALock) {
  EXPECT_EQ(head(dir_.fd(), kTestName).value(), last_);
  EXPECT_FALSE(head(dir_.fd(), "incidents").value().has_value());
  const auto appender = open_appender(dir_);
  EXPECT_EQ(head(dir_.fd(), kTestName).value(), last_);
}

TEST_F(LedgerQuery, KnowsWhichJobsHaveALine) {
  EXPECT_EQ(known_of({"a", "c", "d", "f", "x"}), (Ids{"a", "c", "f"}));
  EXPECT_EQ(known_of({}), Ids{});
  EXPECT_EQ(known_of({"d"}), Ids{});
}

// A file that began before that time is read, and none before it.
TEST_F(LedgerQuery, LooksForJobsNoFurtherThanItHasTo) {
  EXPECT_EQ(known_of({"a", "c", "e"}, time(3)), (Ids{"c", "e"}));
  EXPECT_EQ(known_of({"a", "c", "e"}, time(2)), (Ids{"a", "c", "e"}));
  EXPECT_EQ(known_of({"a", "c", "e"}, time(5)), Ids{"e"});
}

TEST_F(LedgerQuery, ALineThatIsNoJsonMatchesNothing) {
  std::string text;
  append_line(text, last_, wire::time_text(time(7)), R"("job_id":"g",)");
  dir_.write("execution-000000000007.jsonl", text);
  EXPECT_EQ(found({.job_id = "g"}), Seqs{});
  EXPECT_EQ(known_of({"g"}), Ids{});
}

}  // namespace
}  // namespace outrigger::ledger
