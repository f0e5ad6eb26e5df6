#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace outrigger::model {

// A language as data: one TOML file under runtimes/. Strategies beyond `exec` are the pool's.
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
};

// What was found of a runtime on this machine.
struct InstalledRuntime {
  Runtime runtime;
  std::string image_path;  // absolute; empty where the image has not been built
  std::string version;     // of its first package, as the image's package database says; empty where unknown
};

}  // namespace outrigger::model
