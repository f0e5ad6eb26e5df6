#include "base/base64.h"

#include <gtest/gtest.h>

namespace outrigger::base {
namespace {

TEST(Base64, EncodesTheVectorsOfRfc4648) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foo"), "Zm9v");
  EXPECT_EQ(base64_encode("foobar"), "Zm9vYmFy");
}

TEST(Base64, DecodingUndoesEncodingForEveryByte) {
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
    EXPECT_EQ(base64_decode(base64_encode(all)), all);
  }
}

TEST(Base64, RefusesWhatIsNotCanonical) {
  for (const char* bad : {"Z", "Zg=", "Zh==", "Zm9=", "Zg==Zg==", "=Zg=", "====", "Zm 9", "Zm9v\n", "Zm9\xff"}) {
    EXPECT_FALSE(base64_decode(bad).has_value()) << bad;
  }
}

TEST(Base64, ReadLooselyPassesOverLineBreaksAndTakesBothAlphabets) {
  EXPECT_EQ(base64_decode_loosely("aGVs\nbG8sIHdv\r\ncmxkCg==\n"), "hello, world\n");
  EXPECT_EQ(base64_decode_loosely("_-8"), base64_decode("/+8="));
  EXPECT_EQ(base64_decode_loosely("aGk"), "hi");
  EXPECT_EQ(base64_decode_loosely("aGk=aGk="), "hi");
  EXPECT_EQ(base64_decode_loosely("?"), "");
}

}  // namespace
}  // namespace outrigger::base
