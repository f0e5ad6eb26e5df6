#include "jailer/children.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <sstream>

#include "sys/small_file.h"

namespace outrigger::jailer {
namespace {

// The list is whole: none of them leaves it before it is reaped, and that is done by nobody else.
void kill_children() {
  const auto listed = sys::read_file_at(AT_FDCWD, "/proc/thread-self/children");
  if (!listed) return;
  std::istringstream pids(*listed);
  for (pid_t child = 0; pids >> child;) ::kill(child, SIGKILL);
}

}  // namespace

void end_children() {
  do {
    kill_children();
  } while (::waitpid(-1, nullptr, __WALL) > 0 || errno == EINTR);
}

}  // namespace outrigger::jailer
