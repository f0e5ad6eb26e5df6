#include "store_postgres/array_text.h"

#include <gtest/gtest.h>

namespace outrigger::store::postgres {
namespace {

TEST(ArrayText, QuotesEveryElementAndEscapesTwoCharacters) {
  ArrayText array;
  EXPECT_EQ(array.take(), "{}");
  array.add("a");
  array.add(std::nullopt);
  array.add("NULL");
  array.add("");
  array.add("say \"b\" \\ {c,d}");
  EXPECT_EQ(array.take(), R"({"a",NULL,"NULL","","say \"b\" \\ {c,d}"})");
  EXPECT_EQ(array.take(), "{}");
}

}  // namespace
}  // namespace outrigger::store::postgres
