#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrigger::run {

// "SIGKILL" for 9, "SIGRTMIN+2" for a real-time one.
std::string signal_name(int signal);

// The number of one that may be sent to a program from outside, by its name; nothing for any other. Not among them are
// those by which the kernel tells what a program did: a cause of death is to mean what it says.
std::optional<int> sendable_signal(std::string_view name);
// "SIGHUP, SIGINT, …": all of these.
std::string sendable_signals();

}  // namespace outrigger::run
