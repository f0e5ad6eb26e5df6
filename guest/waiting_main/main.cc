// Theory of operation
//
// A library that the dynamic linker loads into a program which is started in a primed jail (LD_PRELOAD). The program is
// mapped, linked and ready, and its main() is about to be called: there this library waits for a job, lays it out as
// sandbox_init does for a program that is exec'd (guest/launch/), and calls main() with the job's arguments and
// environment. What the program sees is what it would see had it been started for the job; it needs not be made for it.

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launch.h"

extern char** environ;

namespace outrigger::guest {
namespace {

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

// To the daemon, which waits for a program that now can't be; then this process has nothing left to do.
[[noreturn]] void fail(const jail::StepResult& result) {
  jail::Report report;
  report.kind = jail::ReportKind::kFailed;
  report.step = result.step;
  report.errno_value = result.errno_value;
  ::send(jail::kControlFd, &report, sizeof report, MSG_NOSIGNAL);
  ::_exit(1);
}

// This library's own file and directory, and the variable that named it, whose memory is what /proc/self/environ shows.
void remove_traces() {
  char* path = ::getenv("LD_PRELOAD");
  if (path == nullptr) return;
  ::unsetenv("LD_PRELOAD");
  ::unlink(path);
  if (char* slash = ::strrchr(path, '/')) {
    *slash = '\0';
    ::rmdir(path);
    *slash = '/';
  }
  constexpr size_t kName = sizeof "LD_PRELOAD=" - 1;
  ::memset(path - kName, 0, kName + ::strlen(path));
}

int wait_and_run(int, char**, char**) {
  remove_traces();
  if (::write(jail::kLaunchFd, &jail::kPrimed, 1) != 1) ::_exit(0);
  Program program{};
  if (const jail::StepResult result = read_program(&program); !result.ok()) {
    if (result.errno_value == EPIPE) ::_exit(0);  // nobody has a job for us any more
    fail(result);
  }
  ::close(jail::kLaunchFd);
  ::close(jail::kControlFd);
  environ = const_cast<char**>(program.envp);
  return real_main(static_cast<int>(program.argc), const_cast<char**>(program.argv), environ);
}

}  // namespace
}  // namespace outrigger::guest

// What the C runtime's start-up code calls with a program's main().
extern "C" [[gnu::visibility("default")]] int __libc_start_main(outrigger::guest::Main main, int argc, char** argv,
                                                                void (*init)(), void (*fini)(), void (*end_loader)(),
                                                                void* stack_end) {
  using Start = decltype(&__libc_start_main);
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  outrigger::guest::real_main = main;
  return start(outrigger::guest::wait_and_run, argc, argv, init, fini, end_loader, stack_end);
}
