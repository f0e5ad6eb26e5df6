#include "sys/own_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "sys/small_file.h"

namespace outrigger::sys {
namespace {

using std::chrono::microseconds;

struct Stat {
  std::uint64_t user_ticks = 0;
  std::uint64_t system_ticks = 0;
  std::uint64_t start_ticks = 0;  // since boot
  std::uint64_t resident_pages = 0;
};

// proc(5) counts fields from 1; the second, the program's name, may hold anything, parentheses too.
std::optional<Stat> parse_stat(const std::string& text) {
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(name_end + 2));
  Stat stat;
  std::string word;
  for (int field = 3; field <= 24 && rest >> word; ++field) {
    const std::uint64_t value = std::strtoull(word.c_str(), nullptr, 10);
    if (field == 14) stat.user_ticks = value;
    if (field == 15) stat.system_ticks = value;
    if (field == 22) stat.start_ticks = value;
    if (field == 24) stat.resident_pages = value;
  }
  if (!rest) return std::nullopt;
  return stat;
}

microseconds from_ticks(std::uint64_t ticks) {
  const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  return microseconds(ticks * 1'000'000U / per_second);
}

microseconds now_by(clockid_t clock) {
  timespec now{};
  static_cast<void>(::clock_gettime(clock, &now));
  return std::chrono::duration_cast<microseconds>(std::chrono::seconds(now.tv_sec) +
                                                  std::chrono::nanoseconds(now.tv_nsec));
}

base::Result<std::size_t> count_open_fds() {
  auto fd = open_at(AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY);
  if (!fd) return std::unexpected(fd.error());
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(fd->get()), ::closedir);
  if (!listing) return base::system_error("list", "/proc/self/fd");
  static_cast<void>(fd->release());
  std::size_t entries = 0;
  while (const dirent* entry = ::readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe): one stream, one thread
    if (entry->d_name[0] != '.') ++entries;
  }
  return entries - 1;  // without the one it is listed by
}

}  // namespace

base::Result<OwnProcess> read_own_process() {
  const auto text = read_file_at(AT_FDCWD, "/proc/self/stat");
  if (!text) return std::unexpected(text.error());
  const auto stat = parse_stat(*text);
  if (!stat) return base::failure(base::Code::kSystem, "parse", "/proc/self/stat");
  const auto fds = count_open_fds();
  if (!fds) return std::unexpected(fds.error());
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return base::system_error("getrlimit");
  static const microseconds booted_at = now_by(CLOCK_REALTIME) - now_by(CLOCK_BOOTTIME);
  OwnProcess own;
  own.started_at = booted_at + from_ticks(stat->start_ticks);
  own.cpu_time = from_ticks(stat->user_ticks + stat->system_ticks);
  own.resident_bytes = stat->resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  own.open_fds = *fds;
  own.max_fds = limit.rlim_cur;
  return own;
}

}  // namespace outrigger::sys
