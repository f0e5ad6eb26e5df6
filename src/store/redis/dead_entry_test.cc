#include "store_redis/dead_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace outrigger::store_redis {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr std::chrono::system_clock::time_point kAt{std::chrono::milliseconds{1'738'315'800'125}};

std::string text_of(std::string_view entry) { return dead_entry_text({"", "no", 0, kAt, "w", entry, entry.size()}); }

TEST(DeadEntry, NamesEverything) {
  EXPECT_EQ(dead_entry_text({"7f", "it was \"tried\" 3 times", 3, kAt, "host:1", "{\"job_id\":\"7f\"}", 15}),
            R"({"job_id":"7f","reason":"it was \"tried\" 3 times","attempts":3,"at":"2025-01-31T09:30:00.125Z",)"
            R"("worker":"host:1","entry":"{\"job_id\":\"7f\"}","entry_bytes":15})");
}

TEST(DeadEntry, WithoutAnIdHasNull) { EXPECT_THAT(text_of(""), HasSubstr(R"("job_id":null)")); }

TEST(DeadEntry, KeepsFourKibibytesOfALongOne) {
  EXPECT_THAT(text_of(std::string(10'000'000, 'x')),
              EndsWith("\"" + std::string(kDeadEntryBytes, 'x') + R"(","entry_bytes":10000000})"));
}

TEST(DeadEntry, KeepsAnEntryOfExactlyFourKibibytesWhole) {
  EXPECT_THAT(text_of(std::string(kDeadEntryBytes, 'x')), HasSubstr("\"" + std::string(kDeadEntryBytes, 'x') + "\""));
}

TEST(DeadEntry, CutsNoCharacterInTwo) {
  const std::string before(kDeadEntryBytes - 1, 'x');
  EXPECT_THAT(text_of(before + "é"), HasSubstr("\"" + before + "\""));
}

TEST(DeadEntry, IsValidUtf8WhateverTheEntryIs) {
  const std::string text = text_of(std::string(10'000, '\xff'));
  EXPECT_TRUE(base::is_utf8(text));
  EXPECT_LT(text.size(), kDeadEntryBytes + 200);
}

}  // namespace
}  // namespace outrigger::store_redis
