#include "sys/own_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <vector>

#include "base/unique_fd.h"

namespace outrigger::sys {
namespace {

using namespace std::chrono_literals;

OwnProcess read() {
  const auto own = read_own_process();
  EXPECT_TRUE(own.has_value()) << own.error().text();
  return own.value_or(OwnProcess{});
}

std::chrono::microseconds cpu_time_by_getrusage() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

std::size_t open_fds_one_by_one() {
  std::size_t open = 0;
  for (int fd = 0; fd < 4096; ++fd) open += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
  return open;
}

TEST(OwnProcess, StartedAMomentAgoAndAtOneTime) {
  const OwnProcess own = read();
  const auto age = std::chrono::system_clock::now().time_since_epoch() - own.started_at;
  EXPECT_GE(age, -20ms);  // two ticks
  EXPECT_LT(age, 60s);
  EXPECT_EQ(read().started_at, own.started_at);
}

TEST(OwnProcess, CountsItsDescriptors) {
  const std::size_t before = open_fds_one_by_one();
  EXPECT_EQ(read().open_fds, before);
  std::vector<base::UniqueFd> held;
  for (int i = 0; i < 100; ++i) held.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(read().open_fds, before + 100);
  held.clear();
  EXPECT_EQ(read().open_fds, before) << "reading holds none";
}

TEST(OwnProcess, KnowsHowManyDescriptorsItMayHave) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = 321;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(read().max_fds, 321U);
}

TEST(OwnProcess, CountsItsCpuTime) {
  while (cpu_time_by_getrusage() < 100ms) {
  }
  const auto counted = read().cpu_time;
  EXPECT_GE(counted, 70ms);
  EXPECT_LE(counted, cpu_time_by_getrusage() + 20ms);
}

TEST(OwnProcess, CountsTheMemoryItHasTouched) {
  const std::uint64_t before = read().resident_bytes;
  const std::vector<char> touched(64U << 20, 'x');
  asm volatile("" : : "r"(touched.data()) : "memory");  // else the compiler leaves out what nobody reads
  const std::uint64_t after = read().resident_bytes;
  EXPECT_GE(after, before + touched.size() - (1U << 20));
  EXPECT_LE(after, before + 2 * touched.size());
}

TEST(OwnProcess, IsNotMisledByItsName) {
  ASSERT_EQ(::prctl(PR_SET_NAME, "a) S 1 (b) R 2"), 0);
  EXPECT_GT(read().resident_bytes, 0U);
  EXPECT_LT(std::chrono::system_clock::now().time_since_epoch() - read().started_at, 60s);
}

}  // namespace
}  // namespace outrigger::sys
