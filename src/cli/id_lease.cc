#include "cli/id_lease.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <string>

#include "sys/small_file.h"

namespace outrigger::cli {
namespace {
constexpr std::uint32_t kMostLocalJails = 1024;
constexpr std::uint32_t kIdsPerJail = 2;
}  // namespace

base::Result<IdLease> lease_ids(const std::filesystem::path& lock_dir, std::uint32_t first) {
  if (::mkdir(lock_dir.c_str(), 0700) != 0 && errno != EEXIST)
    return base::system_error("lease_ids", lock_dir.string());
  const auto directory = sys::open_at(AT_FDCWD, lock_dir.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!directory) return std::unexpected(directory.error());
  for (std::uint32_t n = 0; n < kMostLocalJails; ++n) {
    const std::string name = std::to_string(first + n * kIdsPerJail);
    auto lock = sys::open_at(directory->get(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
    if (!lock) return std::unexpected(lock.error());
    if (::flock(lock->get(), LOCK_EX | LOCK_NB) == 0) return IdLease{first + n * kIdsPerJail, std::move(*lock)};
    if (errno != EWOULDBLOCK && errno != EINTR) return base::system_error("lease_ids", name);
  }
  return base::failure(base::Code::kExhausted, "lease_ids", "1024 local jails are running; wait for one to end");
}

}  // namespace outrigger::cli
