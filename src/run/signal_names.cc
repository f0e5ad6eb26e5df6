#include "run/signal_names.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace outrigger::run {
namespace {

constexpr std::array kSendable{SIGHUP,  SIGINT,  SIGQUIT, SIGKILL, SIGUSR1, SIGUSR2,
                               SIGALRM, SIGTERM, SIGCONT, SIGSTOP, SIGTSTP, SIGWINCH};

}  // namespace

std::string signal_name(int signal) {
  // Two names for one number; this is the one python, node and bash use.
  if (signal == SIGIO) return "SIGIO";
  if (const char* name = ::sigabbrev_np(signal); name != nullptr) return std::string("SIG") + name;
  // The kernel's first real-time signal; libc keeps two for itself, so its SIGRTMIN is 34 (signal(7)).
  constexpr int kFirst = 34;
  if (signal >= kFirst) return "SIGRTMIN+" + std::to_string(signal - kFirst);
  return "SIG" + std::to_string(signal);
}

std::optional<int> sendable_signal(std::string_view name) {
  const auto* found = std::ranges::find(kSendable, name, signal_name);
  return found == kSendable.end() ? std::nullopt : std::optional(*found);
}

std::string sendable_signals() {
  std::string all;
  for (const int signal : kSendable) all += (all.empty() ? "" : ", ") + signal_name(signal);
  return all;
}

}  // namespace outrigger::run
