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

// A directory of a test's own.
class TestDirectory {
 public:
  TestDirectory() {
    std::string pattern = ::testing::TempDir() + "sqlite_test.XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "mkdtemp " << pattern;
    path_ = pattern;
    dir_ = base::UniqueFd(::open(pattern.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;
  ~TestDirectory() { std::filesystem::remove_all(path_); }

  [[nodiscard]] int fd() const { return dir_.get(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  base::UniqueFd dir_;
};

// With a look at the files in it from beside.
class DirectoryTest : public ::testing::Test {
 protected:
  // The first column of the first row.
  [[nodiscard]] std::string query(const std::string& name, const std::string& sql) const {
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

  TestDirectory directory_;
  const std::filesystem::path& path_ = directory_.path();
  const int dir_ = directory_.fd();
};

}  // namespace outrigger::store::sqlite
