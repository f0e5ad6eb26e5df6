#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/unique_fd.h"

namespace outrigger::store::sqlite {

// A directory of a test's own, and a look at the files in it from beside.
class DirectoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "sqlite_test.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
    dir_ = base::UniqueFd(::open(pattern.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  // The first column of the first row.
  std::string query(const std::string& name, const std::string& sql) const {
    SQLite::Database database(path_ / name, SQLite::OPEN_READWRITE, 5000);
    return database.execAndGet(sql).getString();
  }
  void execute(const std::string& name, const std::string& sql) const {
    SQLite::Database database(path_ / name, SQLite::OPEN_READWRITE, 5000);
    database.exec(sql);
  }
  void write(const std::string& name, std::size_t offset, const std::string& bytes) const {
    std::fstream file(path_ / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file << bytes;
  }

  std::filesystem::path path_;
  base::UniqueFd dir_;
};

}  // namespace outrigger::store::sqlite
