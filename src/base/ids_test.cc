#include "base/ids.h"

#include <gtest/gtest.h>

#include <set>

namespace outrigger::base {
namespace {

TEST(Ids, NewJobIdIsValidAndUnique) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = new_job_id();
    EXPECT_TRUE(is_job_id(id)) << id;
    EXPECT_TRUE(seen.insert(id).second) << id;
  }
}

TEST(Ids, JobIdCanNotLeaveItsDirectory) {
  for (const char* bad : {"", ".", "..", "a/b", "-x", "A", "a b", "a\n"}) EXPECT_FALSE(is_job_id(bad)) << bad;
  EXPECT_FALSE(is_job_id(std::string(65, 'a')));
  EXPECT_TRUE(is_job_id(std::string(64, 'a')));
}

TEST(Ids, TenantIdFollowsTheContract) {
  EXPECT_TRUE(is_tenant_id("Acme.co_1-x"));
  EXPECT_TRUE(is_tenant_id(std::string(64, 'x')));
  for (const char* bad : {"", "a b", "a/b", "\xc3\xa9", "a\n"}) EXPECT_FALSE(is_tenant_id(bad)) << bad;
  EXPECT_FALSE(is_tenant_id(std::string(65, 'x')));
  EXPECT_FALSE(is_tenant_id(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace outrigger::base
