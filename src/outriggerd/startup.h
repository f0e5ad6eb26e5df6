#pragma once

#include <string>

#include "config/config.h"

namespace outrigger::outriggerd {

// Everything between a good configuration and serving, then serving; the exit status. Failures go to stderr as one
// sentence: what, to what, and what to do.
int serve(const config::Config& config);

// "outriggerd: …" on stderr.
void complain(const std::string& sentence);

}  // namespace outrigger::outriggerd
