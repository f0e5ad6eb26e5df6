#include "jail/filter_builder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <array>
#include <set>

#include "jail/syscall_policy.h"

namespace outrigger::jail {
namespace {

TEST(FilterBuilder, TheFilterFitsTheKernelAndCanNotBeChanged) {
  const auto filter = build_filter({});
  ASSERT_TRUE(filter) << filter.error().text();
  struct stat info{};
  ASSERT_EQ(::fstat(filter->get(), &info), 0);
  EXPECT_GT(info.st_size, 0);
  EXPECT_LE(info.st_size / 8, 4096);
  EXPECT_LT(::pwrite(filter->get(), "x", 1, 0), 0);
  EXPECT_EQ(errno, EPERM);
}

TEST(FilterBuilder, NoRuntimeCanOpenADangerousCall) {
  const std::array extra{static_cast<std::int32_t>(SYS_ptrace)};
  EXPECT_EQ(build_filter(extra).error().code, base::Code::kInvalid);
}

TEST(FilterBuilder, AnExtraCallThatIsCommonAlreadyIsNoError) {
  const std::array extra{static_cast<std::int32_t>(SYS_read), static_cast<std::int32_t>(SYS_shmget)};
  EXPECT_TRUE(build_filter(extra));
}

TEST(FilterBuilder, SocketsMayBeRefusedInsteadOfEndingTheJail) {
  const auto usual = build_filter({});
  const auto quiet = build_filter({}, SocketRule::kRefused);
  ASSERT_TRUE(quiet) << quiet.error().text();
  struct stat one{};
  struct stat other{};
  ASSERT_EQ(::fstat(usual->get(), &one), 0);
  ASSERT_EQ(::fstat(quiet->get(), &other), 0);
  EXPECT_LT(other.st_size, one.st_size);  // one rule in place of one a bit of the family
}

TEST(FilterBuilder, NoCallIsOnBothLists) {
  const std::set<std::string_view> allowed(allowed_syscalls().begin(), allowed_syscalls().end());
  EXPECT_EQ(allowed.size(), allowed_syscalls().size()) << "a name stands twice";
  for (const std::string_view name : dangerous_syscalls()) EXPECT_FALSE(allowed.contains(name)) << name;
}

TEST(FilterBuilder, EveryListedNameIsKnownHere) {
  for (const std::string_view name : allowed_syscalls()) EXPECT_TRUE(syscall_number(std::string(name))) << name;
  for (const std::string_view name : dangerous_syscalls()) EXPECT_TRUE(syscall_number(std::string(name))) << name;
}

TEST(FilterBuilder, ViolationsAreNamedOnEveryArchitecture) {
  EXPECT_EQ(syscall_name(AUDIT_ARCH_X86_64, SYS_ptrace), "ptrace");
  EXPECT_EQ(syscall_name(AUDIT_ARCH_I386, 102), "i386:socketcall");
  EXPECT_EQ(syscall_name(AUDIT_ARCH_X86_64, 0x40000000 + 39), "x32:getpid");
  EXPECT_EQ(syscall_name(AUDIT_ARCH_X86_64, 999), "999");
}

}  // namespace
}  // namespace outrigger::jail
