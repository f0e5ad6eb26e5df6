#pragma once

#include <string>
#include <vector>

#include "launch.h"

// CPython, started once in a template and run in each guest that is forked from it. What a program sees is the
// interpreter's own doing: it is initialised as `python3 main.py` is, with that command line, and Py_RunMain() runs.
namespace outrigger::guest {

class Interpreter {
 public:
  // Initialises it with the runtime's command line and environment, imports what kImportsFile says, and makes it cheap
  // to fork. What goes wrong is written to `log_fd`, and the process ends.
  Interpreter(int argc, char** argv, int log_fd);

  // In a guest, before it is given a program: what a copy must not share is made anew.
  void after_fork();
  // Does once what every program does, so that the pages it writes to are the guest's own before a program is there.
  // For one that has the time: it lowers a job's time, and costs as much of the processor's.
  void warm_up();
  // The caller's arguments and variables.
  void adopt(const Program& program);
  // True where a file or directory of the job, at any depth, has the name of a module that the template imported and a
  // plain interpreter would not have: then the job's may be the one to be imported.
  [[nodiscard]] bool is_shadowed_by(const std::string& directory) const;
  // Runs the main program; the exit status.
  int run();

 private:
  void import_all();
  void note_imported_names(const std::vector<std::string>& before);
  void make_cheap_to_fork();

  int log_fd_;
  std::vector<std::string> start_environment_;
  std::vector<std::string> imported_;  // top-level names, sorted
  std::vector<std::string> after_fork_calls_;
};

}  // namespace outrigger::guest
