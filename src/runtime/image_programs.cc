#include "runtime/image_programs.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "sys/small_file.h"

namespace outrigger::runtime {

base::Status check_programs(const std::filesystem::path& root, const std::vector<std::string>& programs) {
  const auto directory = sys::open_at(AT_FDCWD, root.c_str(), O_PATH | O_DIRECTORY);
  if (!directory) return std::unexpected(directory.error());
  for (const std::string& program : programs) {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_IN_ROOT;
    const long opened = ::syscall(SYS_openat2, directory->get(), program.c_str(), &how, sizeof how);
    const base::UniqueFd fd(static_cast<int>(opened));
    struct stat status{};
    if (fd && ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0111) != 0) continue;
    return base::failure(base::Code::kNotFound, "check_programs",
                         program + " is no program in the image: correct `command` or add its package to `packages`");
  }
  return {};
}

}  // namespace outrigger::runtime
