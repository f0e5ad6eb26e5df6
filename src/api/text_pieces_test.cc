#include "api/text_pieces.h"

#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"

namespace outrigger::api {
namespace {

TEST(TextPieces, HoldTheBeginningOfACharacterBack) {
  TextPieces pieces;
  EXPECT_EQ(pieces.next("a\xe2"), "a");
  EXPECT_EQ(pieces.next("\x82"), "");
  EXPECT_EQ(pieces.next("\xac!"), "\xe2\x82\xac!");
  EXPECT_EQ(pieces.last(false), "");
}

TEST(TextPieces, TellWhatWasNeverFinished) {
  TextPieces pieces;
  EXPECT_EQ(pieces.next("a\xe2\x82"), "a");
  EXPECT_EQ(pieces.last(false), "\xef\xbf\xbd");
}

TEST(TextPieces, DropACharacterThatTheLimitHasCut) {
  TextPieces pieces;
  EXPECT_EQ(pieces.next("a\xe2\x82"), "a");
  EXPECT_EQ(pieces.last(true), "");
}

TEST(TextPieces, TogetherAreTheTextOfAllBytes) {
  std::mt19937 random(7);
  const std::string alphabet = "a\n\x80\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff\xed\xa0";
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    std::string told;
    TextPieces pieces;
    for (unsigned part = random() % 8; part > 0; --part) {
      std::string one;
      for (unsigned i = random() % 6; i > 0; --i) one += alphabet[random() % alphabet.size()];
      bytes += one;
      told += pieces.next(one);
    }
    EXPECT_EQ(told + pieces.last(false), base::to_utf8(bytes));
  }
}

}  // namespace
}  // namespace outrigger::api
