#include "run/harvest.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/unique_fd.h"

namespace outrigger::run {
namespace {

using jail::EntryKind;
using model::CollectedFile;
using Patterns = std::vector<std::string>;

jail::FoundEntry entry(EntryKind kind, const std::string& path, std::uint64_t size = 0) {
  jail::FoundEntry out;
  out.kind = kind;
  out.path_bytes = static_cast<std::uint32_t>(path.size());
  out.size = size;
  std::memcpy(out.path, path.data(), path.size());
  return out;
}

class HarvestOf {
 public:
  explicit HarvestOf(const Patterns& patterns, model::CollectCaps caps = {}) : harvest_(patterns, caps) {}

  HarvestOf& file(const std::string& path, const std::string& content, unsigned mode = 0644) {
    const base::UniqueFd fd(::memfd_create("file", MFD_CLOEXEC));
    EXPECT_EQ(::write(fd.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    EXPECT_EQ(::fchmod(fd.get(), mode), 0);
    harvest_.take(entry(EntryKind::kFile, path, content.size()), fd.get());
    return *this;
  }
  HarvestOf& sparse(const std::string& path, off_t size) {
    const base::UniqueFd fd(::memfd_create("file", MFD_CLOEXEC));
    EXPECT_EQ(::ftruncate(fd.get(), size), 0);
    harvest_.take(entry(EntryKind::kFile, path, static_cast<std::uint64_t>(size)), fd.get());
    return *this;
  }
  HarvestOf& other(EntryKind kind, const std::string& path) {
    harvest_.take(entry(kind, path), -1);
    return *this;
  }
  std::vector<CollectedFile> finish(bool whole = true) { return harvest_.finish(whole); }

  // "path: code" or "path = content" each.
  Patterns told(bool whole = true) {
    Patterns lines;
    for (const CollectedFile& one : finish(whole)) {
      lines.push_back(one.error ? one.path + ": " + one.error->code : one.path + " = " + one.content);
    }
    return lines;
  }

 private:
  Harvest harvest_;
};

TEST(Harvest, BringsWhatThePatternsNameInOrder) {
  EXPECT_EQ(
      HarvestOf({"out/*.csv", "z"}).file("z", "1").file("out/b.csv", "2").file("out/a.csv", "3").file("y", "4").told(),
      (Patterns{"out/a.csv = 3", "out/b.csv = 2", "z = 1"}));
}

TEST(Harvest, BringsAFileOnceHoweverOftenItIsNamed) {
  EXPECT_EQ(HarvestOf({"*", "a", "a", "**"}).file("a", "1").told(), (Patterns{"a = 1"}));
}

TEST(Harvest, BringsSizeAndMode) {
  const auto files = HarvestOf({"*"}).file("a", std::string("\0\xff", 2), 0751).finish();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].content, std::string("\0\xff", 2));
  EXPECT_EQ(files[0].bytes, 2U);
  EXPECT_EQ(files[0].mode, 0751U);
  EXPECT_FALSE(files[0].error);
}

TEST(Harvest, SaysWhatItCouldNotHave) {
  EXPECT_EQ(HarvestOf({"**"})
                .other(EntryKind::kSymlink, "a")
                .other(EntryKind::kHardLink, "b")
                .other(EntryKind::kSpecial, "c")
                .other(EntryKind::kUnreadable, "d")
                .other(EntryKind::kDirectory, "e")
                .other(EntryKind::kTooDeep, "e/f")
                .other(EntryKind::kPathTooLong, "e")
                .other(EntryKind::kPathTooLong, "e")
                .told(),
            (Patterns{"a: symlink", "b: hard_link", "c: special_file", "d: unreadable", "e: name_too_long",
                      "e/f: too_deep"}));
}

TEST(Harvest, IsSilentAboutWhatNobodyAskedFor) {
  EXPECT_EQ(HarvestOf({"*.csv"})
                .other(EntryKind::kSymlink, "a")
                .other(EntryKind::kTooDeep, "e/f")
                .other(EntryKind::kPathTooLong, "e")
                .file("x.txt", "")
                .told(),
            Patterns{});
}

TEST(Harvest, AnswersForEachNameThatWasGiven) {
  EXPECT_EQ(HarvestOf({"missing", "dir", "link/x", "shut/x", "none/*"})
                .other(EntryKind::kDirectory, "dir")
                .other(EntryKind::kSymlink, "link")
                .other(EntryKind::kUnreadable, "shut")
                .told(),
            (Patterns{"dir: directory", "link/x: symlink", "missing: not_found", "shut/x: unreadable"}));
}

TEST(Harvest, SaysThatTheWholeDirectoryCouldNotBeRead) {
  EXPECT_EQ(HarvestOf({"*", "a"}).other(EntryKind::kUnreadable, "").told(),
            (Patterns{"*: unreadable", "a: unreadable"}));
}

TEST(Harvest, KeepsWhatItHasWhenTheJailIsLost) {
  EXPECT_EQ(HarvestOf({"a", "b", "c*"}).file("a", "1").told(false),
            (Patterns{"a = 1", "b: jail_lost", "c*: jail_lost"}));
}

TEST(Harvest, SaysThatThereMayBeMore) {
  EXPECT_EQ(HarvestOf({"a", "b", "c*"}).file("a", "1").other(EntryKind::kTooMany, "").told(),
            (Patterns{"a = 1", "b: too_many", "c*: too_many"}));
}

TEST(Harvest, ReadsNoMoreThanItsCaps) {
  HarvestOf by_bytes({"*"}, {.files = 9, .bytes = 10});
  EXPECT_EQ(by_bytes.file("a", "12345678").file("b", "123").file("c", "12").told(),
            (Patterns{"a = 12345678", "b: too_large", "c = 12"}));
  HarvestOf by_number({"*"}, {.files = 1, .bytes = 10});
  EXPECT_EQ(by_number.file("a", "1").file("b", "2").told(), (Patterns{"a = 1", "b: too_many"}));
}

TEST(Harvest, AHoleOfATerabyteCostsNothing) {
  const auto files = HarvestOf({"*"}).sparse("a", 1LL << 40).finish();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].error.value_or(model::Cause{}).code, "too_large");
  EXPECT_EQ(files[0].bytes, 1ULL << 40);
}

TEST(Harvest, ShowsANameThatIsNoText) {
  EXPECT_EQ(HarvestOf({"*"}).file("a\xff", "1").told(), (Patterns{"a\xef\xbf\xbd: name_not_utf8"}));
}

TEST(Harvest, BelievesNoDescriptorThatIsNoFile) {
  const base::UniqueFd zero(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  Harvest harvest(Patterns{"*"});
  harvest.take(entry(EntryKind::kFile, "a", 5), zero.get());
  harvest.take(entry(EntryKind::kFile, "b", 5), -1);
  for (const CollectedFile& file : harvest.finish(true))
    EXPECT_EQ(file.error.value_or(model::Cause{}).code, "unreadable");
}

TEST(Harvest, ListsSoManyErrorsAndCountsTheRest) {
  HarvestOf harvest({"*"});
  for (int i = 0; i < 1000; ++i) harvest.other(EntryKind::kSymlink, "l" + std::to_string(i));
  const auto files = harvest.finish();
  EXPECT_EQ(files.size(), 257U);
  EXPECT_NE(files.back().error.value_or(model::Cause{}).text.find("744"), std::string::npos);
}

TEST(Harvest, StubbornPatternsEndIt) {
  std::string stubborn;
  for (int i = 0; i < 100; ++i) stubborn += "*a";
  HarvestOf harvest(Patterns(32, stubborn + "b"));
  for (int i = 0; i < 8192; ++i) harvest.other(EntryKind::kSpecial, std::string(255, 'a'));
  const auto files = harvest.finish();
  ASSERT_EQ(files.size(), 32U);
  EXPECT_EQ(files[0].error.value_or(model::Cause{}).code, "too_many");
}

}  // namespace
}  // namespace outrigger::run
