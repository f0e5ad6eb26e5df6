#include "runtime/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "base/unique_fd.h"

namespace outrigger::runtime {
namespace {

struct Pipe {
  base::UniqueFd read;
  base::UniqueFd write;
};

base::Result<Pipe> make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return base::system_error("pipe");
  return Pipe{base::UniqueFd(fds[0]), base::UniqueFd(fds[1])};
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& text : strings) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

base::Result<pid_t> spawn(const Subprocess& subprocess, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, 1);
  ::posix_spawn_file_actions_adddup2(&actions, err, 2);
  sigset_t none;
  sigset_t all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, subprocess.argv.front().c_str(), &actions, &attributes,
                                  pointers(subprocess.argv).data(), pointers(subprocess.env).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) return base::system_error("spawn", subprocess.argv.front(), error);
  return pid;
}

// Appends what is readable; false at the end of the stream.
bool drain(int fd, std::string& into) {
  char buffer[16384];
  const ssize_t got = ::read(fd, buffer, sizeof buffer);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.append(buffer, static_cast<std::size_t>(got));
  return got > 0;
}

void hand_out_lines(std::string& pending, bool last, const std::function<void(std::string_view)>& on_line) {
  for (;;) {
    // A progress bar redraws its line after a carriage return.
    const auto end = pending.find_first_of("\n\r");
    if (end == std::string::npos) break;
    if (end > 0) on_line(std::string_view(pending).substr(0, end));
    pending.erase(0, end + 1);
  }
  if (last && !pending.empty()) on_line(pending);
}

std::string read_both(int out, int err, const std::function<void(std::string_view)>& on_line) {
  std::string output;
  std::string pending;
  std::array<pollfd, 2> open{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    if (::poll(open.data(), open.size(), -1) < 0) continue;
    if (open[0].revents != 0 && !drain(out, output)) open[0].fd = -1;
    if (open[1].revents != 0) {
      if (!drain(err, pending)) open[1].fd = -1;
      hand_out_lines(pending, open[1].fd < 0, on_line);
    }
  }
  return output;
}

}  // namespace

base::Result<Finished> run_subprocess(const Subprocess& subprocess,
                                      const std::function<void(std::string_view)>& on_line) {
  auto out = make_pipe();
  if (!out) return std::unexpected(out.error());
  auto err = make_pipe();
  if (!err) return std::unexpected(err.error());
  const auto pid = spawn(subprocess, out->write.get(), err->write.get());
  if (!pid) return std::unexpected(pid.error());
  out->write.reset();
  err->write.reset();
  Finished finished;
  finished.out = read_both(out->read.get(), err->read.get(), on_line);
  while (::waitpid(*pid, &finished.wait_status, 0) < 0) {
    if (errno != EINTR) return base::system_error("waitpid", subprocess.argv.front());
  }
  return finished;
}

std::vector<std::string> tool_environment() {
  std::vector<std::string> env{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
                               "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"};
  for (const char* name :
       {"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "TMPDIR"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here changes the environment
    if (value != nullptr) env.push_back(std::string(name) + "=" + value);
  }
  return env;
}

std::string describe_wait_status(int wait_status) {
  if (WIFEXITED(wait_status)) return "exited with status " + std::to_string(WEXITSTATUS(wait_status));
  const char* name = ::sigabbrev_np(WTERMSIG(wait_status));
  return "was killed by signal " + std::to_string(WTERMSIG(wait_status)) + " (SIG" + (name != nullptr ? name : "?") +
         ")";
}

}  // namespace outrigger::runtime
