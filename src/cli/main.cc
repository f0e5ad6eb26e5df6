#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/command_line.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace {

// Else the next descriptor would become standard output, and a result be written into it. A closed stdin reads as
// empty; writing to a closed output still fails, since this is open for reading only.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDONLY) != fd)
      ::_exit(outrigger::cli::kExitFailed);
  }
}

int do_what_is_asked(std::span<char*> words) {
  const auto command = outrigger::cli::parse_command_line(std::vector<std::string>(words.begin(), words.end()));
  if (command) return std::visit([](const auto& options) { return outrigger::cli::perform(options); }, *command);
  outrigger::cli::write_all(STDOUT_FILENO, command.error().out);
  outrigger::cli::write_all(STDERR_FILENO, command.error().err);
  return command.error().status;
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  try {
    return do_what_is_asked(std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0));
  } catch (const std::exception& bug) {
    std::fprintf(stderr, "outrigger: a fault in Outrigger itself, please report it: %s\n", bug.what());  // NOLINT
  }
  return outrigger::cli::kExitFailed;
}
