#include "runtime/build_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include "sys/small_file.h"

namespace outrigger::runtime {

base::Result<base::UniqueFd> lock_image(const std::filesystem::path& images_dir, const std::string& image,
                                        const std::function<void(std::string_view)>& progress) {
  const auto path = images_dir / ("." + image + ".lock");
  auto fd = sys::open_at(AT_FDCWD, path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
  if (!fd) return std::unexpected(fd.error());
  if (::flock(fd->get(), LOCK_EX | LOCK_NB) == 0) return fd;
  if (errno != EWOULDBLOCK) return base::system_error("lock_image", path.string());
  progress("another build of image " + image + " is running; waiting for it");
  while (::flock(fd->get(), LOCK_EX) != 0) {
    if (errno != EINTR) return base::system_error("lock_image", path.string());
  }
  return fd;
}

}  // namespace outrigger::runtime
