#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "config/load.h"
#include "config/paths.h"
#include "view/report.h"

// What a command line asks for, one type a verb; done by the verb's own file.
namespace outrigger::crows_nest {

// Exit statuses of all verbs: nothing to be told, something found, could not look.
inline constexpr int kHealthy = 0;
inline constexpr int kFindings = 1;
inline constexpr int kCannotAudit = 2;

// What the configuration file says, and what the command line says against it.
struct Settings {
  config::LoadOptions load;
  std::optional<std::chrono::milliseconds> interval;
  std::optional<double> ceiling;  // a share: 0.65
  std::optional<std::string> server;
  std::optional<std::string> metrics_listen;
  std::optional<std::string> webhook_url;
};

struct AuditOptions {
  Settings settings;
  bool json = false;
  bool watch = false;
  view::Order order = view::Order::kMemory;
};

struct WatchVerb {
  Settings settings;
};

struct LedgerVerifyOptions {
  Settings settings;
  bool json = false;
  std::vector<std::string> ledgers;  // none: both
  std::vector<std::string> anchors;
};

// Lines of one ledger: `crows-nest ledger show` of executions, `crows-nest incidents` of incidents.
struct LinesOptions {
  Settings settings;
  bool json = false;
  bool incidents = false;
  std::optional<std::string> job_id;
  std::optional<std::string> tenant_id;
  std::optional<std::string> cause;
  std::optional<std::string> rule;
  std::optional<std::chrono::system_clock::time_point> since;
  std::uint64_t limit = 0;  // the newest so many; 0: all
};

struct LedgerHeadOptions {
  Settings settings;
  bool json = false;
  std::vector<std::string> ledgers;
};

struct RulesOptions {
  bool json = false;
};

struct VersionOptions {
  bool json = false;
};

using Command = std::variant<AuditOptions, WatchVerb, LedgerVerifyOptions, LinesOptions, LedgerHeadOptions,
                             RulesOptions, VersionOptions>;

// The command line was no work to do: help was asked for, or it is wrong.
struct NothingToDo {
  int status = 0;
  std::string out;
  std::string err;
};

// `words` without the program's name.
std::expected<Command, NothingToDo> parse_command_line(std::span<const std::string> words);

// "500ms", "1s", "2m", "250" (milliseconds).
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);
// "65%", "65" (percent, above 1), "0.65" (a share, up to 1): a share above 0 and up to 1.
std::optional<double> parse_share(std::string_view text);
// RFC 3339, or a duration back from `now`: "10m", "2h", "3d".
std::optional<std::chrono::system_clock::time_point> parse_since(std::string_view text,
                                                                 std::chrono::system_clock::time_point now);

// The configuration with what the command line said. OUTRIGGER_TOKEN wins over the file's token.
base::Result<config::Config> load_settings(const Settings& settings);

}  // namespace outrigger::crows_nest
