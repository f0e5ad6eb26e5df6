// Starts a command, reads its output to the end, waits for it: what a program costs that is run bare, or by another
// sandbox's command line.
//
// spawn [--root DIR] [--expect TEXT] -- COMMAND [ARGUMENT…]
//   --root DIR      run it inside DIR (bare_root.h)
//   --expect TEXT   what it prints, without the last newline; anything else is a failed round

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "bare_root.h"
#include "base/unique_fd.h"
#include "rounds.h"

namespace outrigger::bench {
namespace {

struct Options {
  std::string root;
  std::string expect;
  char** command = nullptr;
};

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void put(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

base::Result<std::string> read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error("read");
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

base::Result<int> wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return base::system_error("waitpid");
  }
  return status;
}

base::Result<Nanoseconds> one_round(const Options& options, int null) {
  // As a server would start it: a short environment of its own, nothing of ours.
  static constexpr char kPath[] = "PATH=/usr/bin:/bin";
  char* const envp[] = {const_cast<char*>(kPath), nullptr};  // NOLINT: posix_spawn does not write
  const auto begin = Clock::now();
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return base::system_error("pipe");
  const base::UniqueFd out(ends[0]);
  base::UniqueFd in(ends[1]);
  FileActions actions;
  actions.put(null, STDIN_FILENO);
  actions.put(in.get(), STDOUT_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, options.command[0], actions.get(), nullptr, options.command, envp);
  if (error != 0) return base::system_error("spawn", options.command[0], error);
  in.reset();
  const auto printed = read_all(out.get());
  const auto status = wait_for(pid);
  const Nanoseconds took = Clock::now() - begin;
  if (!printed) return std::unexpected(printed.error());
  if (!status) return std::unexpected(status.error());
  const std::string wanted = options.expect.empty() ? "" : options.expect + "\n";
  if (*status != 0)
    return base::failure(base::Code::kInternal, options.command[0], "wait status " + std::to_string(*status));
  if (*printed != wanted) return base::failure(base::Code::kInternal, options.command[0], "printed: " + *printed);
  return took;
}

bool parse(int argc, char** argv, Options& options) {
  int at = 1;
  for (; at + 1 < argc && std::strcmp(argv[at], "--") != 0; at += 2) {
    const std::string name = argv[at];
    if (name != "--root" && name != "--expect") return false;
    (name == "--root" ? options.root : options.expect) = argv[at + 1];
  }
  if (at + 1 >= argc) return false;
  options.command = argv + at + 1;
  return true;
}

int run(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::cerr << "usage: spawn [--root DIR] [--expect TEXT] -- COMMAND [ARGUMENT...]\n";
    return 2;
  }
  const base::UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!options.root.empty()) {
    if (const base::Status entered = enter_bare_root(options.root); !entered) {
      std::cerr << entered.error().text() << '\n';
      return 1;
    }
  }
  const auto round = [&options, &null] { return one_round(options, null.get()); };
  return serve(RoundMaker([&round] { return base::Result<Round>(round); }));
}

}  // namespace
}  // namespace outrigger::bench

int main(int argc, char** argv) { return outrigger::bench::run(argc, argv); }
