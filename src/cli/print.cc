#include "cli/print.h"

#include <unistd.h>

#include <cerrno>

#include "cli/options.h"

namespace outrigger::cli {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

int print_line(std::string_view line) { return write_all(STDOUT_FILENO, std::string(line) + "\n") ? 0 : kExitFailed; }

void complain(std::string_view text) { write_all(STDERR_FILENO, "outrigger: " + std::string(text) + "\n"); }

int fail(const wire::ErrorBody& error, bool json) {
  if (json) {
    print_line(wire::error_to_json(error));
  } else {
    complain(error.message);
  }
  return kExitFailed;
}

}  // namespace outrigger::cli
