// outrigger-jailer: the only privileged program, in two processes. The daemon starts it with one end of a socket pair
// as descriptor 3 and tells it once what jails there may be. That first process becomes the keeper: it prepares the
// machine, and forks the jailer, whom the daemon asks for such jails from then on (protocol.h); when that one dies it
// forks another. Neither reads a configuration, a network or a byte a caller sent, and both end, with all jails, when
// the daemon does.

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <span>

#include "jailer/definitions.h"
#include "jailer/keeper.h"
#include "jailer/machine.h"
#include "jailer/process_name.h"
#include "jailer/protocol.h"
#include "jailer/server.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

constexpr int kSocket = 3;
constexpr int kLastSignal = 64;  // _NSIG of the kernel's

// By the raw call: libc refuses to touch the two real-time signals it keeps for itself, and a parent may have left them
// ignored. Refused for SIGKILL and SIGSTOP, rightly.
void default_dispositions() {
  struct KernelAction {
    std::uint64_t handler = 0;  // SIG_DFL
    std::uint64_t flags = 0;
    std::uint64_t restorer = 0;
    std::uint64_t mask = 0;
  };
  const KernelAction action;
  for (int signal = 1; signal <= kLastSignal; ++signal)
    ::syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof action.mask);
}

// Jails inherit dispositions (default) and the mask, which sandbox_init clears. A terminal's Ctrl-C is the daemon's to
// handle: it closes the socket when its jobs have ended.
void settle() {
  set_process_name(kKeeperName);
  ::setsid();
  default_dispositions();
  sigset_t mask;
  ::sigemptyset(&mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::sigaddset(&mask, signal);
  ::sigprocmask(SIG_BLOCK, &mask, nullptr);
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  // Jails need a hard limit of at least 1 here (jail/steps/steps.h says why), and can't raise it themselves. If
  // it can't be had, each of them says so.
  const rlimit core{1, 1};
  ::setrlimit(RLIMIT_CORE, &core);
}

base::Result<Machine> prepare() {
  auto definitions = receive_definitions(kSocket);
  if (!definitions) return std::unexpected(definitions.error());
  return prepare_machine(std::move(*definitions));
}

int run() {
  settle();
  base::UniqueFd daemon(kSocket);
  auto machine = prepare();
  if (machine) return Keeper(std::move(daemon), std::move(*machine)).run();
  Announcement announcement;
  set_failure(announcement.failure, machine.error());
  (void)sys::send_message(kSocket, std::as_bytes(std::span(&announcement, 1)));
  return 1;
}

}  // namespace
}  // namespace outrigger::jailer

int main() { return outrigger::jailer::run(); }
