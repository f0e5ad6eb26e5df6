#include "judge0/archive.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "judge0/test_archive.h"

namespace outrigger::judge0 {
namespace {

std::string good() { return *base::base64_decode(kGoodZip); }

void expect_refused(const std::string& zip, const std::string& why, std::size_t max_bytes = 1000,
                    std::size_t max_files = 10) {
  const auto files = unpack(zip, max_bytes, max_files);
  ASSERT_FALSE(files.has_value()) << why;
  EXPECT_EQ(files.error(), why);
}

TEST(Judge0Archive, GivesItsFilesWithContentAndMode) {
  const auto files = unpack(good(), 35, 3);
  ASSERT_TRUE(files.has_value()) << files.error();
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ((*files)[0].path, "lib/util.py");
  EXPECT_EQ((*files)[0].content, "x = 1\n");
  EXPECT_EQ((*files)[0].mode, 0644U);
  EXPECT_EQ((*files)[1].path, "tool.sh");
  EXPECT_EQ((*files)[1].content, "echo hello hello hello hello\n");
  EXPECT_EQ((*files)[1].mode, 0755U);
}

TEST(Judge0Archive, IsBounded) {
  expect_refused(good(), "unpacks to more than 34 bytes", 34);
  expect_refused(good(), "holds more than 2 files", 1000, 2);
}

TEST(Judge0Archive, IsRefusedWhereItIsNone) {
  expect_refused("", "is not a zip archive");
  expect_refused("PK", "is not a zip archive");
  expect_refused(good().substr(0, 200), "is not a zip archive");
}

TEST(Judge0Archive, HoldsNoLinks) {
  expect_refused(*base::base64_decode(kLinkZip), "holds what is no regular file: link");
}

TEST(Judge0Archive, ADamagedFileIsNamed) {
  std::string zip = good();
  zip.at(zip.find("x = 1")) = 'y';
  expect_refused(zip, "holds a damaged file: lib/util.py");
}

TEST(Judge0Archive, AnEncryptedFileIsNamed) {
  std::string zip = good();
  constexpr std::size_t kFlags = 8;  // of an entry of the central directory (APPNOTE.TXT, 4.3.12)
  const std::size_t entry = zip.rfind("PK\x01\x02");
  zip.at(entry + kFlags) = 1;
  expect_refused(zip, "holds an encrypted file: tool.sh");
}

}  // namespace
}  // namespace outrigger::judge0
