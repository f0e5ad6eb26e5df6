#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "cli/command_line.h"
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

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto command = outrigger::cli::parse_command_line(words);
  if (command) return std::visit([](const auto& options) { return outrigger::cli::perform(options); }, *command);
  std::fputs(command.error().out.c_str(), stdout);
  std::fputs(command.error().err.c_str(), stderr);
  return command.error().status;
}
