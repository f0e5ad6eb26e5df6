#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/paths.h"
#include "model/job.h"
#include "model/limit_fields.h"

// What a command line asks for, one type a verb; made by command_line.h, done by the verb's own file.
namespace outrigger::cli {

inline constexpr int kExitUsage = 2;
// Outrigger itself failed. As with env(1), timeout(1) and docker(1): below what a shell reports of a guest's signals.
inline constexpr int kExitFailed = 125;

struct RunOptions {
  config::PathOptions paths;
  bool json = false;
  bool local = false;
  std::string server;  // "http://127.0.0.1:8080"
  std::string token;   // bearer token; empty: none
  std::string tenant = "cli";
  std::string language;  // empty: by the file's name or first line
  std::string file;      // "-": stdin
  std::vector<std::string> args;
  std::vector<std::pair<const model::LimitField*, double>> limits;  // those asked for
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::pair<std::string, std::string>> files;  // path in the working directory, path here
  model::OutputEncoding json_encoding = model::OutputEncoding::kUtf8;
};

struct DoctorOptions {
  config::PathOptions paths;
  bool json = false;
};

struct RuntimeListOptions {
  config::PathOptions paths;
  bool json = false;
};

struct RuntimeBuildOptions {
  config::PathOptions paths;
  bool json = false;
  bool force = false;
  std::vector<std::string> names;  // runtimes, aliases or images; none: all
};

struct VersionOptions {
  bool json = false;
};

using Command = std::variant<RunOptions, DoctorOptions, RuntimeListOptions, RuntimeBuildOptions, VersionOptions>;

}  // namespace outrigger::cli
