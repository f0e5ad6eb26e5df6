#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/limits.h"

namespace outrigger::model {

// How a jail is made ready before its job is there.
enum class Strategy {
  kExec,     // a finished jail waits for the word to exec
  kPreload,  // the interpreter already runs in its sealed jail and waits for its program
  kZygote,   // a template that holds a started interpreter is forked into the jail, is sealed there, and waits
};

// What makes a program wait: a file laid into the jail before it starts, and the variables that have it run it.
struct Prelude {
  std::string file;     // where it comes from: a file below the runtimes' directory,
  std::string library;  // or a library in the programs' own, for the loader: it waits before main() is called
  std::string path;     // where it is laid in the jail, absolute
  std::string content;
  std::vector<std::pair<std::string, std::string>> env;
  bool elsewhere =
      false;  // it starts in /tmp, with the absolute path of the source file, and goes to the job's directory later
};

// What an interpreter is forked from.
struct Template {
  std::string host;                  // the library, in the programs' own directory, that makes it one
  std::vector<std::string> imports;  // modules it imports before it is forked
  std::vector<std::string> reseed;   // "module:function" called in each fork, for what two jobs must not share
  std::uint32_t max_jails = 1000;    // another takes its place after so many, or when it is so old
  std::uint32_t max_age_s = 600;
};

// How many jails are kept ready: at least min, up to max as demand asks for them.
struct PrimedCount {
  std::uint32_t min = 2;
  std::uint32_t max = 8;
};

// What makes of the caller's code what is run: a program in a jail of its own, before the job's.
struct CompileStep {
  std::vector<std::string> command;                      // argv; empty: the language has no such step
  std::vector<std::string> artifacts;                    // patterns (base/glob.h) of what it makes for the job
  std::vector<std::pair<std::string, std::string>> env;  // beside the runtime's
  Limits limits{std::chrono::seconds(10), std::chrono::seconds(10), 512ULL << 20, 1.0, 64, 64ULL << 10, 64ULL << 20};
};

// A language as data: one TOML file under runtimes/.
struct Runtime {
  std::string name;                   // "python"; what a request's `language` says
  std::vector<std::string> aliases;   // "py", "python3"
  std::string image;                  // the root file system it runs in; several runtimes may share one
  std::vector<std::string> packages;  // Debian packages the image must hold for it
  std::string source_file;            // "main.py": where the caller's code is laid, relative to the working directory
  std::vector<std::string>
      command;  // argv; the caller's args are appended. command[0] is an absolute path in the image
  std::vector<std::pair<std::string, std::string>> env;  // added to the jail's fixed environment
  std::vector<std::string> extra_syscalls;               // allowed beyond the common list, by name
  bool refuses_sockets = false;  // socket(2) is refused, where else it ends the jail: the run-time itself tries one
  CompileStep compile = {};
  Strategy strategy = Strategy::kExec;
  Prelude prelude = {};     // only for kPreload
  Template template_ = {};  // only for kZygote
  // Variables that an interpreter reads when it starts ("TZ", or "PYTHON*" for all that begin so): a job that sets one
  // is run by an interpreter started for it.
  std::vector<std::string> start_variables = {};
  PrimedCount primed = {};
  bool on_demand = false;  // its image is built only when it is asked for by name; without it nothing is amiss
};

// What was found of a runtime on this machine.
struct InstalledRuntime {
  Runtime runtime;
  std::string image_path;        // absolute; empty where the image has not been built
  std::string version;           // of its first package, as the image's package database says; empty where unknown
  std::string image_stamp = {};  // differs where the image does
};

}  // namespace outrigger::model
