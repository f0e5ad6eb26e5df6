#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "cli/closest.h"
#include "cli/help_text.h"
#include "cli/quantity.h"
#include "cli/queue_verbs.h"
#include "cli/token_verbs.h"
#include "cli/version_text.h"

// CLI11 costs ten seconds to compile: this, queue_verbs.cc and token_verbs.cc alone see it.
namespace outrigger::cli {
namespace {

constexpr char kDefaultServer[] = "http://127.0.0.1:8080";

// CLI11 knows nothing of what follows a prefix command and would not show FILE.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_name() == "run") return std::string("Usage: ") + kRunUsage + "\n";
    if (app->get_name() == "submit") return std::string("Usage: ") + kSubmitUsage + "\n";
    return CLI::Formatter::make_usage(app, std::move(name));
  }
};

std::string flag_of(const model::LimitField& field) {
  std::string flag = "--" + std::string(field.name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string meaning_of(const model::LimitField& field) {
  if (field.name == "wall_time_ms") return "Wall clock, from start to end";
  if (field.name == "cpu_time_ms") return "CPU time of all its processes";
  if (field.name == "memory_bytes") return "Memory, its files in /tmp included";
  if (field.name == "cpu_cores") return "CPU bandwidth: 0.5 is half a core";
  if (field.name == "pids") return "Processes and threads at a time";
  if (field.name == "output_bytes") return "Kept of stdout and of stderr, each";
  if (field.name == "tmpfs_bytes") return "Size of /tmp";
  return std::string(field.name);
}

class CommandLine {
 public:
  CommandLine() {
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.get_formatter()->column_width(34);
    app_.footer(kFooter);
    app_.set_version_flag("--version", std::string("outrigger ") + kVersion, "Print the version and exit");
    app_.require_subcommand(1);
    add_run(*app_.add_subcommand("run", kRunAbout)->footer(kRunFooter));
    add_submit(*app_.add_subcommand("submit", kSubmitAbout)->footer(kSubmitFooter));
    add_queue_verbs(app_, queue_);
    add_doctor(*app_.add_subcommand("doctor", kDoctorAbout)->footer(kDoctorFooter));
    CLI::App& runtime = *app_.add_subcommand("runtime", kRuntimeAbout)->footer(kRuntimeFooter);
    runtime.require_subcommand(1);
    add_list(*runtime.add_subcommand("list", kListAbout)->footer(kListFooter));
    add_build(*runtime.add_subcommand("build", kBuildAbout)->footer(kBuildFooter));
    add_token_verbs(app_, tokens_, [this](CLI::App& verb, config::PathOptions& paths) { add_places(verb, paths); });
    add_mcp(*app_.add_subcommand("mcp", kMcpAbout)->footer(kMcpFooter));
    add_version(*app_.add_subcommand("version", kVersionAbout)->footer(kVersionFooter));
  }

  std::expected<Command, NothingToDo> parse(std::span<const std::string> words,
                                            const config::Environment& environment) {
    // What follows "--" is no business of CLI11's, which would end the verb there. It takes its words from the back.
    const auto marker = std::ranges::find(words, "--");
    std::vector<std::string> reversed(words.begin(), marker);
    std::ranges::reverse(reversed);
    try {
      app_.parse(reversed);
      return finish({marker, words.end()}, environment);
    } catch (const CLI::CallForHelp&) {
      return std::unexpected(NothingToDo{0, app_.help() + "\n", {}});
    } catch (const CLI::CallForVersion& version) {
      return std::unexpected(NothingToDo{0, std::string(version.what()) + "\n", {}});
    } catch (const CLI::ParseError& error) {
      return std::unexpected(wrong(error));
    }
  }

 private:
  void add_places(CLI::App& verb, config::PathOptions& paths) {
    const auto add = [&verb](const char* flag, std::optional<std::filesystem::path>& into, const char* type,
                             const char* text) {
      verb.add_option_function<std::string>(
              flag, [&into](const std::string& value) { into = value; }, text)
          ->type_name(type);
    };
    add("--state-dir", paths.state_dir, "DIR", "Everything of the daemon's is below DIR");
    add("--config", paths.config_file, "FILE", "The configuration file");
    add("--images-dir", paths.images_dir, "DIR", "Where the root file systems are");
    add("--runtimes-dir", paths.runtimes_dir, "DIR", "Where the runtimes' TOML files are");
  }

  void add_limits(CLI::App& verb) {
    for (const model::LimitField& field : model::kLimitFields) {
      const bool bytes = field.name.ends_with("_bytes");
      const auto store = [this, &field, bytes](const std::string& text) {
        const auto value = bytes ? parse_bytes(text) : parse_number(text);
        const bool fits = value && *value > 0 && *value < 0x1p53 && (!field.whole || std::trunc(*value) == *value);
        if (!fits) {
          throw CLI::ValidationError(
              flag_of(field),
              std::string("must be a positive ") + (bytes ? "size such as 64M" : "number") + ", not \"" + text + "\"");
        }
        run_.limits.emplace_back(&field, *value);
      };
      verb.add_option_function<std::string>(flag_of(field), store, meaning_of(field))
          ->type_name(bytes ? "SIZE" : "NUMBER")
          ->group("Limits (without them the daemon's defaults)");
    }
  }

  void add_run(CLI::App& verb) {
    add_program(verb);
    verb.add_flag("--local", run_.local, "Without a daemon: make the one jail here (needs root)");
    const auto set = [this](Streaming streaming) {
      return [this, streaming](std::int64_t /*times*/) { run_.streaming = streaming; };
    };
    verb.add_flag_function("--stream", set(Streaming::kAlways), "Output as it is written; default on a terminal");
    verb.add_flag_function("--no-stream", set(Streaming::kNever),
                           "Output when the program has ended; default elsewhere")
        ->excludes("--stream");
    verb.add_option("--output-dir", run_.output_dir, "Where collected files are written; default here")
        ->type_name("DIR");
    verb.add_flag("--json", run_.json, "Print the whole result as one JSON document instead of the output");
    const auto encoding = [this](const std::string& text) {
      if (text != "utf8" && text != "base64") {
        throw CLI::ValidationError("--output-encoding", "must be utf8 or base64, not \"" + text + "\"");
      }
      run_.json_encoding = text == "utf8" ? model::OutputEncoding::kUtf8 : model::OutputEncoding::kBase64;
    };
    verb.add_option_function<std::string>("--output-encoding", encoding, "With --json: utf8 (default) or base64")
        ->type_name("ENCODING");
    add_places(verb, run_.paths);
  }

  void add_submit(CLI::App& verb) {
    add_program(verb);
    verb.add_flag("--json", run_.json, "Print one JSON document instead of the id");
    verb.add_option("--callback-url", submit_.callback_url, "Is told when the job has ended")->type_name("URL");
    verb.add_option("--idempotency-key", submit_.idempotency_key, "The same key again gives the same job")
        ->type_name("KEY");
    add_places(verb, run_.paths);
  }

  // What is to be run, where, and within what.
  void add_program(CLI::App& verb) {
    verb.prefix_command();
    verb.add_option("-l,--language", run_.language, "The language; by default told by FILE's ending or first line")
        ->type_name("LANG");
    add_server(verb, run_.remote);
    verb.add_option("--tenant", run_.tenant, "On whose account; default cli")->type_name("NAME");
    verb.add_option("--env", env_, "Set a variable for the program; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    verb.add_option("--file", files_, "Lay a file into its working directory; may be repeated")
        ->type_name("PATH[=LOCAL]")
        ->allow_extra_args(false);
    verb.add_option("--collect", run_.collect, "Bring files of its working directory back; may be repeated")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    add_limits(verb);
  }

  void add_doctor(CLI::App& verb) {
    verb.add_flag("--json", doctor_.json, "Print one JSON document");
    add_places(verb, doctor_.paths);
  }

  void add_list(CLI::App& verb) {
    verb.add_flag("--json", list_.json, "Print one JSON document");
    add_places(verb, list_.paths);
  }

  void add_build(CLI::App& verb) {
    verb.add_option("NAME", build_.names, "Runtimes or images; default all but those built on demand");
    verb.add_flag("--force", build_.force, "Build also what is up to date");
    verb.add_flag("--json", build_.json, "Print one JSON document when done");
    add_places(verb, build_.paths);
  }

  void add_mcp(CLI::App& verb) {
    add_server(verb, mcp_.remote);
    verb.add_option("--tenant", mcp_.tenant, "On whose account programs run; default mcp")->type_name("NAME");
  }

  void add_version(CLI::App& verb) { verb.add_flag("--json", version_.json, "Print one JSON document"); }

  std::expected<Command, NothingToDo> finish(std::span<const std::string> marked,
                                             const config::Environment& environment) {
    const CLI::App* verb = app_.get_subcommands().front();
    if (verb->get_name() == "run") return finish_run(*verb, marked, environment);
    if (verb->get_name() == "submit") {
      submit_.run = finish_run(*verb, marked, environment);
      return submit_;
    }
    if (!marked.empty()) throw CLI::ExtrasError({marked.front()});
    if (verb->get_name() == "status") return finish_remote(queue_.status, environment);
    if (verb->get_name() == "cancel") return finish_remote(queue_.cancel, environment);
    if (verb->get_name() == "runs") return finish_remote(queue_.runs, environment);
    if (verb->get_name() == "mcp") return finish_remote(mcp_, environment);
    if (verb->get_name() == "doctor") return doctor_;
    if (verb->get_name() == "version") return version_;
    if (verb->get_name() == "token") return token_command(*verb, tokens_);
    return verb->get_subcommands().front()->get_name() == "list" ? Command(list_) : Command(build_);
  }

  // `marked` is "--" and what follows it, or nothing: after FILE it is the program's own like all else, before it the
  // way to name a FILE that begins with a dash.
  RunOptions finish_run(const CLI::App& verb, std::span<const std::string> marked,
                        const config::Environment& environment) {
    std::vector<std::string> rest = verb.remaining();
    if (!rest.empty() && rest.front().size() > 1 && rest.front().starts_with('-'))
      throw CLI::ExtrasError({rest.front()});
    const std::size_t skipped = rest.empty() && !marked.empty() ? 1 : 0;
    rest.insert(rest.end(), marked.begin() + static_cast<std::ptrdiff_t>(skipped), marked.end());
    if (rest.empty()) throw CLI::RequiredError("FILE (or - for stdin)");
    run_.file = rest.front();
    run_.args.assign(rest.begin() + 1, rest.end());
    for (const std::string& assignment : env_) {
      const auto equals = assignment.find('=');
      if (equals == std::string::npos)
        throw CLI::ValidationError("--env", "must be NAME=VALUE, not \"" + assignment + "\"");
      run_.env.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
    for (const std::string& file : files_) {
      const auto equals = file.find('=');
      run_.files.emplace_back(file.substr(0, equals), equals == std::string::npos ? file : file.substr(equals + 1));
    }
    if (run_.local && !run_.remote.server.empty()) throw CLI::ExcludesError("--local", "--server");
    return finish_remote(run_, environment);
  }

  template <typename Options>
  static Options finish_remote(Options& options, const config::Environment& environment) {
    Remote& remote = options.remote;
    if (remote.server.empty()) remote.server = environment("OUTRIGGER_SERVER").value_or("");
    if (remote.server.empty()) remote.server = kDefaultServer;
    remote.token = environment("OUTRIGGER_TOKEN").value_or("");
    return options;
  }

  // The verb that the words got to, and its name as it is typed: "outrigger runtime build".
  std::pair<const CLI::App*, std::string> deepest() const {
    const CLI::App* app = &app_;
    std::string name = app->get_name();
    while (!app->get_subcommands().empty()) {
      app = app->get_subcommands().front();
      name += " " + app->get_name();
    }
    return {app, name};
  }

  static std::vector<std::string> verbs_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(each->get_name());
    }
    return names;
  }

  static std::vector<std::string> flags_of(const CLI::App& app) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    }
    return flags;
  }

  // The first word nobody knows what to do with; empty where that is not what is wrong.
  std::string unknown_word(const CLI::App& verb, const CLI::ParseError& error) const {
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr &&
        dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) {
      return {};
    }
    std::vector<std::string> left = verb.remaining();
    if (left.empty()) left = app_.remaining(true);
    return left.empty() ? std::string() : left.front();
  }

  NothingToDo wrong(const CLI::ParseError& error) const {
    const auto [verb, name] = deepest();
    const std::string word = unknown_word(*verb, error);
    const std::vector<std::string> verbs = verbs_of(*verb);
    std::string text;
    if (!word.empty()) {
      const bool option = word.starts_with('-');
      text = std::string("unknown ") + (option ? "option" : verbs.empty() ? "argument" : "verb") + " \"" + word + "\"";
      const std::string hint = closest(word, option ? flags_of(*verb) : verbs);
      if (!hint.empty()) text += "; did you mean \"" + hint + "\"?";
    } else if (!verbs.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
      text = "say what to do:";
      for (const std::string& each : verbs) text += " " + each;
    } else {
      text = error.what();
    }
    return {kExitUsage, {}, "outrigger: " + text + "\nTry `" + name + " --help`.\n"};
  }

  CLI::App app_{kAbout, "outrigger"};
  RunOptions run_;
  SubmitOptions submit_;
  QueueVerbs queue_;
  TokenVerbs tokens_;
  std::vector<std::string> env_;
  std::vector<std::string> files_;
  DoctorOptions doctor_;
  RuntimeListOptions list_;
  RuntimeBuildOptions build_;
  McpOptions mcp_;
  VersionOptions version_;
};

}  // namespace

std::expected<Command, NothingToDo> parse_command_line(std::span<const std::string> words,
                                                       const config::Environment& environment) {
  return CommandLine().parse(words, environment);
}

}  // namespace outrigger::cli
