#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The program arrives as bytes a stranger wrote: every length is checked here too, though the daemon has done so. What
// goes wrong here goes wrong inside the jail, as the guest.
namespace outrigger::guest {
namespace {

using jail::Step;
using jail::StepResult;

char strings[jail::kMaxStringsBytes];
char* pointers[jail::kMaxStrings + 2];
char path[jail::kMaxPathBytes];
char chunk[64 * 1024];

bool read_exactly(void* target, size_t size) {
  auto* at = static_cast<char*>(target);
  while (size > 0) {
    const ssize_t got = ::read(jail::kLaunchFd, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0) errno = EPIPE;
      return false;
    }
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool write_all(int fd, const char* at, size_t size) {
  while (size > 0) {
    const ssize_t put = ::write(fd, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    at += put;
    size -= static_cast<size_t>(put);
  }
  return true;
}

// Fills `out` with pointers to the next `count` strings and a null; null where the block ends too early.
char* take_strings(char* at, const char* end, unsigned count, char** out) {
  for (unsigned i = 0; i < count; ++i) {
    if (at >= end) return nullptr;
    out[i] = at;
    at += ::strlen(at) + 1;  // the block ends with a NUL, checked by the caller
  }
  out[count] = nullptr;
  return at;
}

StepResult read_strings(const jail::LaunchHeader& header, Program* program) {
  const bool sane = header.argc >= 1 && header.argc <= jail::kMaxStrings &&
                    header.envc <= jail::kMaxStrings - header.argc && header.strings_bytes >= 1 &&
                    header.strings_bytes <= sizeof strings;
  if (!sane) return jail::failed(Step::kReadLaunch, E2BIG);
  if (!read_exactly(strings, header.strings_bytes)) return jail::failed(Step::kReadLaunch);
  const char* end = strings + header.strings_bytes;
  if (end[-1] != '\0') return jail::failed(Step::kReadLaunch, EPROTO);
  char** envp = pointers + header.argc + 1;
  char* rest = take_strings(strings, end, header.argc, pointers);
  if (rest == nullptr || take_strings(rest, end, header.envc, envp) == nullptr)
    return jail::failed(Step::kReadLaunch, EPROTO);
  program->argv = pointers;
  program->envp = envp;
  return jail::done();
}

// Makes each directory on the way to `path`; one that is there already is fine.
bool make_parents() {
  for (char* at = path + 1; *at != '\0'; ++at) {
    if (*at != '/') continue;
    *at = '\0';
    const bool made = ::mkdir(path, 0755) == 0 || errno == EEXIST;
    *at = '/';
    if (!made) return false;
  }
  return true;
}

StepResult lay_file() {
  jail::FileHeader header;
  if (!read_exactly(&header, sizeof header)) return jail::failed(Step::kReadLaunch);
  if (header.path_bytes < 2 || header.path_bytes > sizeof path) return jail::failed(Step::kReadLaunch, ENAMETOOLONG);
  if (!read_exactly(path, header.path_bytes)) return jail::failed(Step::kReadLaunch);
  if (path[header.path_bytes - 1] != '\0') return jail::failed(Step::kReadLaunch, EPROTO);
  if (!make_parents()) return jail::failed(Step::kLayFiles);
  const int fd = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return jail::failed(Step::kLayFiles);
  for (unsigned long long left = header.size; left > 0;) {
    const size_t part = left < sizeof chunk ? static_cast<size_t>(left) : sizeof chunk;
    if (!read_exactly(chunk, part)) return jail::failed(Step::kReadLaunch);
    if (!write_all(fd, chunk, part)) return jail::failed(Step::kLayFiles);
    left -= part;
  }
  if (::fchmod(fd, header.mode & 0777) != 0) return jail::failed(Step::kLayFiles);
  ::close(fd);
  return jail::done();
}

}  // namespace

StepResult read_program(Program* program) {
  jail::LaunchHeader header;
  if (!read_exactly(&header, sizeof header)) return jail::failed(Step::kReadLaunch);
  if (const StepResult result = read_strings(header, program); !result.ok()) return result;
  program->argc = header.argc;
  program->command_argc = header.command_argc < header.argc ? header.command_argc : header.argc;
  program->cpu_seconds = header.cpu_seconds;
  program->keeps_launch_socket = (header.flags & jail::kKeepLaunchSocket) != 0;
  program->keeps_control_socket = (header.flags & jail::kKeepControlSocket) != 0;
  if ((header.flags & jail::kStderrToStdout) != 0 && ::dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
    return jail::failed(Step::kReadLaunch);
  if (::chdir(jail::kWorkDir) != 0) return jail::failed(Step::kLayFiles);
  for (unsigned i = 0; i < header.files; ++i) {
    if (const StepResult result = lay_file(); !result.ok()) return result;
  }
  if ((header.flags & jail::kStartElsewhere) != 0 && ::chdir("/tmp") != 0) return jail::failed(Step::kLayFiles);
  return jail::done();
}

}  // namespace outrigger::guest
