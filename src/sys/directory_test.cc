#include "sys/directory.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/unique_fd.h"

namespace outrigger::sys {
namespace {

TEST(NamesIn, FilesAndDirectoriesApartAndLinksNeither) {
  std::string path = testing::TempDir() + "names.XXXXXX";
  ASSERT_NE(::mkdtemp(path.data()), nullptr);
  std::ofstream(path + "/file") << "x";
  std::ofstream(path + "/.hidden") << "x";
  std::filesystem::create_directory(path + "/directory");
  std::filesystem::create_symlink("file", path + "/link");
  const base::UniqueFd dir(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Twice: the first has not moved anything.
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(names_in(dir.get(), EntryType::kFile).value(), testing::UnorderedElementsAre("file", ".hidden"));
    EXPECT_THAT(names_in(dir.get(), EntryType::kDirectory).value(), testing::ElementsAre("directory"));
  }
  std::filesystem::remove_all(path);
}

TEST(NamesIn, WhatIsNoDirectoryIsAnError) { EXPECT_FALSE(names_in(-1, EntryType::kFile)); }

}  // namespace
}  // namespace outrigger::sys
