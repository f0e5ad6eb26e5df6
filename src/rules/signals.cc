#include "rules/signals.h"

#include <csignal>
#include <cstring>

namespace outrigger::rules {
namespace {

constexpr int kHighest = 64;
constexpr int kFirstRealTime = 34;  // the kernel's is 32; libc keeps two for itself

}  // namespace

std::string signal_name(int signal) {
  if (signal == SIGIO) return "SIGIO";  // and not its other name, SIGPOLL
  if (const char* name = ::sigabbrev_np(signal); name != nullptr) return std::string("SIG") + name;
  if (signal >= kFirstRealTime) return "SIGRTMIN+" + std::to_string(signal - kFirstRealTime);
  return "SIG" + std::to_string(signal);
}

std::optional<int> signal_number(std::string_view name) {
  for (int signal = 1; signal <= kHighest; ++signal) {
    if (signal_name(signal) == name) return signal;
  }
  if (name == "SIGPOLL") return SIGPOLL;
  return std::nullopt;
}

}  // namespace outrigger::rules
