// Theory of operation
//
// This is a library that the dynamic linker loads into the image's own python3 (LD_PRELOAD), so that the interpreter is
// always the image's, with its security fixes and its speed. It stands in for python's main(): it initialises CPython
// as that does, with the runtime's command line, imports what the runtime's definition lists, and forks itself into one
// jail after another (guest/template/). In the forked guest, which is sealed by then, it makes anew what a copy must
// not share, says that it waits, reads the caller's program, and lets the interpreter run it.
//
// The process it lives in was made by guest/sandbox_init/template.cc: root of a user namespace that is nobody on the
// host, the image as its root.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "fork_server.h"
#include "internals.h"
#include "interpreter.h"
#include "launch.h"
#include "preload.h"
#include "report.h"

namespace outrigger::guest {
namespace {

constexpr int kFirstFree = 16;

[[noreturn]] void give_up(int log_fd, const base::Error& error) {
  const std::string text = "python_host: " + error.text() + "\n";
  (void)!::write(log_fd, text.data(), text.size());
  ::_exit(1);
}

// The interpreter looks at its standard streams once, when it starts: whether they are terminals, whether they can
// seek. A guest's are pipes, so these are. Returns the descriptor of the log, which was stderr.
int put_pipes_in_place() {
  const int log_fd = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kFirstFree);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe(ends.data()) != 0) ::_exit(1);
    const int used = fd == STDIN_FILENO ? ends[0] : ends[1];
    const int other = ::fcntl(fd == STDIN_FILENO ? ends[1] : ends[0], F_DUPFD_CLOEXEC, kFirstFree);
    if (other < 0 || ::dup2(used, fd) < 0) ::_exit(1);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  return log_fd;
}

// The interpreter itself, started for this job alone: what it inherits are the streams, the jail, and no more.
[[noreturn]] void become_plain(const Program& program) {
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::execve(program.argv[0], program.argv, program.envp);
  fail(jail::failed(jail::Step::kExec));
}

}  // namespace

int before_main(Main /*real: python's, which is never run*/, int argc, char** argv) {
  // The loader has done with these.
  ::close(jail::kHostLibraryFd);
  forget_preload();
  const int log_fd = put_pipes_in_place();
  Interpreter interpreter(argc, argv, log_fd);
  auto server = ForkServer::create();
  if (!server) give_up(log_fd, server.error());
  (*server)->serve();

  // From here on in a guest.
  interpreter.after_fork();
  if ((*server)->has_time()) interpreter.warm_up();
  (*server)->announce();
  Program program{};
  check(read_program(&program));
  check(set_resource_limits(program.cpu_seconds));
  ::close(jail::kLaunchFd);
  if (::fcntl(jail::kControlFd, F_SETFD, FD_CLOEXEC) != 0) fail(jail::failed(jail::Step::kCloseDescriptors));
  if (interpreter.is_shadowed_by(jail::kWorkDir)) become_plain(program);
  interpreter.adopt(program);
  ::close(jail::kControlFd);
  const int status = interpreter.run();
  if (!outrigger_ended_quickly()) return status;
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace outrigger::guest
