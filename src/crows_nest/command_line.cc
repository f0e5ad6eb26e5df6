#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "crows_nest/options.h"

// CLI11 costs ten seconds to compile: this file alone sees it.
namespace outrigger::crows_nest {
namespace {

constexpr char kFooter[] = R"(Start with the daemon's own state directory, as root:
  crows-nest outrigger --audit --active-jobs --state-dir DIR
  crows-nest watch --state-dir DIR --interval 500ms)";

class CommandLine {
 public:
  CommandLine() {
    app_.description("Crow's Nest: the auditor of Outrigger's sandboxes");
    app_.footer(kFooter);
    app_.set_version_flag("--version", std::string("crows-nest ") + OUTRIGGER_VERSION, "Print the version and exit");
    app_.require_subcommand(1);
    app_.get_formatter()->column_width(30);
    app_.add_option("--state-dir", state_dir_, "Where the daemon keeps everything; may also follow the verb")
        ->type_name("DIR");
    add_audit(*app_.add_subcommand("outrigger", "Show the jobs that run now, their ceilings, and what threatens them"));
    add_watch(*app_.add_subcommand("watch", "Watch all jobs, keep the ledgers, guard the memory ceiling"));
    CLI::App& ledger = *app_.add_subcommand("ledger", "Read and verify the ledgers");
    ledger.require_subcommand(1);
    add_verify(*ledger.add_subcommand("verify", "Check both chains, line by line"));
    add_show(*ledger.add_subcommand("show", "Print lines of the execution ledger"));
    add_head(*ledger.add_subcommand("head", "Print the last line's hash: an anchor to be kept elsewhere"));
    add_incidents(*app_.add_subcommand("incidents", "Print lines of the incident ledger"));
    CLI::App& rules = *app_.add_subcommand("rules", "List what is watched for");
    rules.add_flag("--json", rules_.json, "One JSON document");
    rules.callback([this] { command_ = rules_; });
    CLI::App& version = *app_.add_subcommand("version", "Print the version");
    version.add_flag("--json", version_.json, "One JSON document");
    version.callback([this] { command_ = version_; });
  }

  std::expected<Command, NothingToDo> parse(std::span<const std::string> words) {
    std::vector<std::string> reversed(words.begin(), words.end());
    std::ranges::reverse(reversed);
    try {
      app_.parse(reversed);
      std::visit([this](auto& verb) { take_common(verb); }, *command_);
      return std::move(*command_);
    } catch (const CLI::CallForHelp&) {
      return std::unexpected(NothingToDo{kHealthy, app_.help() + "\n", {}});
    } catch (const CLI::CallForVersion& version) {
      return std::unexpected(NothingToDo{kHealthy, std::string(version.what()) + "\n", {}});
    } catch (const CLI::ParseError& error) {
      return std::unexpected(
          NothingToDo{kCannotAudit, {}, std::string("crows-nest: ") + error.what() + "\nTry 'crows-nest --help'.\n"});
    }
  }

 private:
  template <typename Verb>
  void take_common(Verb& verb) const {
    if constexpr (requires { verb.settings; }) {
      auto& state_dir = verb.settings.load.paths.state_dir;
      if (!state_dir) state_dir = state_dir_;
    }
  }

  static void add_places(CLI::App& verb, Settings& settings) {
    verb.add_option("--state-dir", settings.load.paths.state_dir, "Where the daemon keeps everything")
        ->type_name("DIR");
    verb.add_option("--config", settings.load.paths.config_file, "The daemon's configuration file")->type_name("FILE");
  }

  static void add_daemon(CLI::App& verb, Settings& settings) {
    add_places(verb, settings);
    verb.add_option_function<std::string>(
            "--interval", checked(settings.interval, parse_duration, "--interval must be a time such as 500ms or 1s"),
            "Between two looks")
        ->type_name("TIME");
    verb.add_option_function<std::string>(
            "--ceiling",
            checked(settings.ceiling, parse_share,
                    "--ceiling must be a percentage such as 65%, or a share such as 0.65"),
            "Of the host's memory, for all jobs together")
        ->type_name("SHARE");
    verb.add_option("--server", settings.server, "The daemon's address, if not as it has written down")
        ->type_name("URL");
  }

  template <typename Out, typename Parse>
  static std::function<void(const std::string&)> checked(std::optional<Out>& out, Parse parse, const char* rule) {
    return [&out, parse, rule](const std::string& text) {
      out = parse(text);
      if (!out) throw CLI::ValidationError(std::string(rule) + ", not '" + text + "'");
    };
  }

  void add_audit(CLI::App& verb) {
    add_daemon(verb, audit_.settings);
    verb.add_flag("--audit", says_audit_, "Look at what the kernel says (what this verb does)");
    verb.add_flag("--active-jobs", says_active_jobs_, "Of the jobs that run now (what this verb does)");
    verb.add_flag("--json", audit_.json, "One JSON document; with --watch, one a line");
    verb.add_flag("--watch", audit_.watch, "A live screen");
    static const std::map<std::string, view::Order> kOrders{{"memory", view::Order::kMemory},
                                                            {"cpu", view::Order::kCpu},
                                                            {"throttling", view::Order::kThrottling},
                                                            {"age", view::Order::kAge}};
    verb.add_option("--sort", audit_.order, "memory, cpu, throttling or age")
        ->transform(CLI::CheckedTransformer(kOrders).description(""))
        ->type_name("KEY");
    verb.footer("Exit status: 0 healthy, 1 findings, 2 it could not look (and says why).");
    verb.callback([this] { command_ = audit_; });
  }

  void add_watch(CLI::App& verb) {
    Settings& settings = watch_.settings;
    add_daemon(verb, settings);
    verb.add_option("--metrics", settings.metrics_listen, "Serve Prometheus metrics at /metrics")
        ->type_name("HOST:PORT");
    verb.add_option("--webhook", settings.webhook_url, "Tell this URL of each incident")->type_name("URL");
    verb.add_flag_callback(
        "--json", [&settings] { settings.load.log_format = base::LogFormat::kJson; }, "Log in JSON, a line an event");
    verb.callback([this] { command_ = watch_; });
  }

  static CLI::Option* add_ledger(CLI::App& verb, std::vector<std::string>& ledgers) {
    return verb.add_option("--ledger", ledgers, "execution or incidents; both if not given")
        ->check(CLI::IsMember({"execution", "incidents"}).description(""))
        ->type_name("NAME");
  }

  void add_verify(CLI::App& verb) {
    add_places(verb, verify_.settings);
    add_ledger(verb, verify_.ledgers);
    verb.add_option("--anchor", verify_.anchors, "A hash noted earlier, which must be in the chain")->type_name("HASH");
    verb.add_flag("--json", verify_.json, "One JSON document");
    verb.footer(
        "Exit status: 0 sound, 1 faults found, 2 it could not read.\nWithout an anchor a chain proves that nothing "
        "within it was changed; not that nothing was cut off its end, nor that it was not made anew as a whole.");
    verb.callback([this] { command_ = verify_; });
  }

  void add_lines(CLI::App& verb, LinesOptions& lines) {
    add_places(verb, lines.settings);
    verb.add_option("--job", lines.job_id, "Of this job")->type_name("ID");
    verb.add_option("--tenant", lines.tenant_id, "Of this tenant")->type_name("ID");
    verb.add_option_function<std::string>(
            "--since",
            checked(
                lines.since, [](std::string_view text) { return parse_since(text, std::chrono::system_clock::now()); },
                "--since must be a time (2025-01-31T09:30:00Z), or how long ago (10m, 2h, 3d)"),
            "Recorded since then")
        ->type_name("TIME");
    verb.add_option("--last", lines.limit, "The newest so many")->type_name("N");
    verb.add_flag("--json", lines.json, "The ledger's own lines");
  }

  void add_show(CLI::App& verb) {
    add_lines(verb, show_);
    verb.add_option("--cause", show_.cause, "With this cause: memory_ceiling, wall_clock, seccomp ...")
        ->type_name("CODE");
    verb.callback([this] { command_ = show_; });
  }

  void add_incidents(CLI::App& verb) {
    incidents_.incidents = true;
    add_lines(verb, incidents_);
    verb.add_option("--rule", incidents_.rule, "By this rule; `crows-nest rules` lists them")->type_name("NAME");
    verb.callback([this] { command_ = incidents_; });
  }

  void add_head(CLI::App& verb) {
    add_places(verb, head_.settings);
    add_ledger(verb, head_.ledgers);
    verb.add_flag("--json", head_.json, "One JSON document");
    verb.callback([this] { command_ = head_; });
  }

  CLI::App app_;
  std::optional<Command> command_;
  std::optional<std::filesystem::path> state_dir_;
  AuditOptions audit_;
  // The verb does nothing else: saying so is for who reads the command.
  bool says_audit_ = false;
  bool says_active_jobs_ = false;
  WatchVerb watch_;
  LedgerVerifyOptions verify_;
  LinesOptions show_;
  LinesOptions incidents_;
  LedgerHeadOptions head_;
  RulesOptions rules_;
  VersionOptions version_;
};

}  // namespace

std::expected<Command, NothingToDo> parse_command_line(std::span<const std::string> words) {
  return CommandLine().parse(words);
}

}  // namespace outrigger::crows_nest
