// Theory of operation
//
// A library that the dynamic linker loads into a program which is started in a primed jail (LD_PRELOAD). The program is
// mapped, linked and ready, and its main() is about to be called: there this library waits for a job, lays it out as
// sandbox_init does for a program that is exec'd (guest/launch/), and calls main() with the job's arguments and
// environment. What the program sees is what it would see had it been started for the job; it needs not be made for it.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch.h"
#include "preload.h"
#include "report.h"

extern char** environ;

namespace outrigger::guest {
namespace {

// This library's own file and directory.
void remove_file() {
  const char* path = ::getenv("LD_PRELOAD");
  if (path == nullptr) return;
  ::unlink(path);
  if (const char* slash = ::strrchr(path, '/')) {
    char* directory = ::strndup(path, static_cast<size_t>(slash - path));
    ::rmdir(directory);
    ::free(directory);
  }
}

}  // namespace

int before_main(Main real, int, char**) {
  remove_file();
  forget_preload();
  if (::write(jail::kLaunchFd, &jail::kPrimed, 1) != 1) ::_exit(0);
  Program program{};
  if (const jail::StepResult result = read_program(&program); !result.ok()) {
    if (result.errno_value == EPIPE) ::_exit(0);  // nobody has a job for us any more
    fail(result);
  }
  ::close(jail::kLaunchFd);
  ::close(jail::kControlFd);
  environ = const_cast<char**>(program.envp);
  return real(static_cast<int>(program.argc), const_cast<char**>(program.argv), environ);
}

}  // namespace outrigger::guest
