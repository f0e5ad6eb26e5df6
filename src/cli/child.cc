#include "cli/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/unique_fd.h"
#include "cli/print.h"

namespace outrigger::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Answer = base::Result<std::string>;

constexpr char kGood = '+';

// "+detail", or the error's step, number and context, each ended by a NUL.
std::string encode(const Answer& answer) {
  if (answer) return kGood + *answer;
  const base::Error& error = answer.error();
  std::string out = "-";
  for (const std::string& part : {error.step, std::to_string(error.errno_value), error.context}) out += part + '\0';
  return out;
}

Answer decode(const std::string& text) {
  if (text.starts_with(kGood)) return text.substr(1);
  std::array<std::string, 3> parts;
  std::size_t at = 1;
  for (std::string& part : parts) {
    const auto end = std::min(text.find('\0', at), text.size());
    part = text.substr(std::min(at, text.size()), end - std::min(at, end));
    at = end + 1;
  }
  int number = 0;
  std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), number);
  if (number != 0) return base::system_error(parts[0], parts[2], number);
  return base::failure(base::Code::kUnsupported, parts[0], parts[2]);
}

[[noreturn]] void be_child(int go, int report, const ChildBody& body) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  char ready = 0;
  // The end of the pipe instead of a byte: the parent gave up or is gone.
  if (::read(go, &ready, 1) == 1) write_all(report, encode(body()));
  ::_exit(0);
}

Answer read_report(int fd, Clock::time_point deadline) {
  std::string text;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{fd, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&wait, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return base::system_error("wait", "the probe did not end", ETIMEDOUT);
    char buffer[4096];
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error("read");
    if (got == 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  if (text.empty()) return base::failure(base::Code::kInternal, "wait", "the probe's process died");
  return decode(text);
}

}  // namespace

Answer run_in_child(unsigned long clone_flags, const std::function<base::Status(pid_t)>& prepare, const ChildBody& body,
                    std::chrono::milliseconds timeout) {
  int go[2];
  int report[2];
  if (::pipe2(go, O_CLOEXEC) != 0) return base::system_error("pipe");
  base::UniqueFd go_read(go[0]);
  base::UniqueFd go_write(go[1]);
  if (::pipe2(report, O_CLOEXEC) != 0) return base::system_error("pipe");
  base::UniqueFd report_read(report[0]);
  base::UniqueFd report_write(report[1]);
  // fork(2) with namespaces; libc's fork has no flags. The child must not rely on libc's cached thread id, and does
  // not.
  const long pid = ::syscall(SYS_clone, clone_flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid < 0) return base::system_error("clone");
  if (pid == 0) {
    go_write.reset();
    report_read.reset();
    be_child(go_read.get(), report_write.get(), body);
  }
  go_read.reset();
  report_write.reset();
  Answer answer;
  const base::Status prepared = prepare ? prepare(static_cast<pid_t>(pid)) : base::Status();
  if (prepared) {
    write_all(go_write.get(), "g");
    answer = read_report(report_read.get(), Clock::now() + timeout);
  } else {
    answer = std::unexpected(prepared.error());
  }
  go_write.reset();
  // Whatever the child has started is in its group, unless it left it; then it dies with the child (PDEATHSIG).
  ::kill(-static_cast<pid_t>(pid), SIGKILL);
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  while (::waitpid(static_cast<pid_t>(pid), nullptr, 0) < 0 && errno == EINTR) {
  }
  return answer;
}

}  // namespace outrigger::cli
