#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrigger::rules {

// "SIGKILL"; real-time signals as libc counts them, "SIGRTMIN+2" for 36 (signal(7)).
std::string signal_name(int signal);
std::optional<int> signal_number(std::string_view name);

// What a shell's $? holds after death by signal n is kSignalBase + n.
inline constexpr int kSignalBase = 128;

}  // namespace outrigger::rules
