#include "cli/id_lease.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace outrigger::cli {
namespace {

class IdLeases : public testing::Test {
 protected:
  IdLeases() {
    std::string name = "/tmp/outrigger-test-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  ~IdLeases() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
};

TEST_F(IdLeases, NoTwoHoldTheSameIds) {
  const auto first = lease_ids(directory_ / "locks", 1000);
  const auto second = lease_ids(directory_ / "locks", 1000);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->uid_base, 1000U);
  EXPECT_EQ(second->uid_base, 1002U);
}

TEST_F(IdLeases, WhatWasGivenBackIsTakenAgain) {
  auto first = lease_ids(directory_ / "locks", 1000);
  const auto second = lease_ids(directory_ / "locks", 1000);
  ASSERT_TRUE(first && second);
  first->lock.reset();
  EXPECT_EQ(lease_ids(directory_ / "locks", 1000)->uid_base, 1000U);
}

TEST_F(IdLeases, ALinkInPlaceOfTheDirectoryIsRefused) {
  std::filesystem::create_directory(directory_ / "elsewhere");
  std::filesystem::create_directory_symlink(directory_ / "elsewhere", directory_ / "locks");
  EXPECT_FALSE(lease_ids(directory_ / "locks", 1000));
}

}  // namespace
}  // namespace outrigger::cli
