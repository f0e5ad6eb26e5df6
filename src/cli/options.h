#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
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

// A daemon, and who asks.
struct Remote {
  std::string server;  // "http://127.0.0.1:8080"
  std::string token;   // bearer token; empty: none
};

enum class Streaming { kOnATerminal, kAlways, kNever };

struct RunOptions {
  config::PathOptions paths;
  bool json = false;
  bool local = false;
  Remote remote;
  std::string tenant = "cli";
  std::string language;  // empty: by the file's name or first line
  std::string file;      // "-": stdin
  std::vector<std::string> args;
  std::vector<std::pair<const model::LimitField*, double>> limits;  // those asked for
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::pair<std::string, std::string>> files;  // path in the working directory, path here
  std::vector<std::string> collect;                        // patterns of files that are wanted back
  std::string output_dir = ".";                            // where they are written
  model::OutputEncoding json_encoding = model::OutputEncoding::kUtf8;
  Streaming streaming = Streaming::kOnATerminal;  // whether output is written while the program runs
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

struct SubmitOptions {
  RunOptions run;  // what is submitted; `local` is never set
  std::string callback_url;
  std::string idempotency_key;
};

struct StatusOptions {
  Remote remote;
  bool json = false;
  bool wait = false;  // until it has ended
  std::string job_id;
};

struct CancelOptions {
  Remote remote;
  bool json = false;
  std::string job_id;
};

struct RunsOptions {
  Remote remote;
  bool json = false;
  std::string job_id;                                        // one run; empty: a list of those that match the rest
  std::vector<std::pair<std::string, std::string>> filters;  // parameters of GET /api/v1/runs
};

struct McpOptions {
  Remote remote;
  std::string tenant = "mcp";
};

// A tokens file, as the configuration names it.
struct TokensOptions {
  config::PathOptions paths;
  bool json = false;
};

// What is to become of a tenant's quotas; zero lifts one.
struct QuotaChange {
  std::optional<std::uint32_t> concurrent;
  std::optional<std::uint32_t> per_minute;
  std::vector<std::pair<const model::LimitField*, double>> limits;

  [[nodiscard]] bool is_empty() const { return !concurrent && !per_minute && limits.empty(); }
};

struct TokenCreateOptions : TokensOptions {
  std::string tenant;  // "*": an operator's
  QuotaChange quotas;
  std::optional<std::chrono::seconds> lifetime;
  std::string note;
};

struct TokenListOptions : TokensOptions {};

struct TokenRevokeOptions : TokensOptions {
  std::string id;
};

struct TokenQuotaOptions : TokensOptions {
  std::string tenant;
  QuotaChange change;
};

using Command = std::variant<RunOptions, SubmitOptions, StatusOptions, CancelOptions, RunsOptions, DoctorOptions,
                             RuntimeListOptions, RuntimeBuildOptions, TokenCreateOptions, TokenListOptions,
                             TokenRevokeOptions, TokenQuotaOptions, McpOptions, VersionOptions>;

}  // namespace outrigger::cli
