#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace outrigger::runtime {

struct Subprocess {
  std::vector<std::string> argv;  // argv[0] is the program's absolute path; no shell and no search path is involved
  std::vector<std::string> env;   // "NAME=value"; the whole environment of the program
};

struct Finished {
  int wait_status = 0;
  std::string out;  // what it wrote to stdout
};

// Runs the program to its end with stdin from /dev/null, default signal dispositions and an empty mask. Each line of
// its stderr is handed to on_line as it comes.
base::Result<Finished> run_subprocess(const Subprocess& subprocess,
                                      const std::function<void(std::string_view)>& on_line);

// A short fixed environment for system tools, and of the caller's own only what names proxies and certificates.
std::vector<std::string> tool_environment();

// "exited with status 3", "was killed by signal 9 (Killed)".
std::string describe_wait_status(int wait_status);

}  // namespace outrigger::runtime
