#include "run/signal_names.h"

#include <csignal>
#include <cstring>

namespace outrigger::run {

std::string signal_name(int signal) {
  // Two names for one number; this is the one python, node and bash use.
  if (signal == SIGIO) return "SIGIO";
  if (const char* name = ::sigabbrev_np(signal); name != nullptr) return std::string("SIG") + name;
  // The kernel's first real-time signal; libc keeps two for itself, so its SIGRTMIN is 34 (signal(7)).
  constexpr int kFirst = 34;
  if (signal >= kFirst) return "SIGRTMIN+" + std::to_string(signal - kFirst);
  return "SIG" + std::to_string(signal);
}

}  // namespace outrigger::run
