#pragma once

#include <string>

namespace outrigger::run {

// "SIGKILL" for 9, "SIGRTMIN+2" for a real-time one.
std::string signal_name(int signal);

}  // namespace outrigger::run
