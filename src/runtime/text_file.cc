#include "runtime/text_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/small_file.h"

namespace outrigger::runtime {
namespace {
constexpr std::size_t kMaxSize = 16U << 20;
}

base::Result<std::string> read_text_file(const std::filesystem::path& path) {
  const auto fd = sys::open_at(AT_FDCWD, path.c_str(), O_RDONLY);
  if (!fd) return std::unexpected(fd.error());
  std::string content;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(fd->get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error("read", path.string());
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > kMaxSize) return base::failure(base::Code::kTooLarge, "read", path.string());
  }
}

}  // namespace outrigger::runtime
