#include "outriggerd/options.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace outrigger::outriggerd {
namespace {

// An option that takes a value; the setter's answer is what the value must be, where it is not.
struct ValueOption {
  std::string_view name;
  std::optional<std::string> (*set)(Options&, std::string_view);
};

template <auto Member>
std::optional<std::string> set_path(Options& options, std::string_view value) {
  options.load.paths.*Member = value;
  return std::nullopt;
}

constexpr std::array<ValueOption, 6> kValueOptions{{
    {"--config", set_path<&config::PathOptions::config_file>},
    {"--state-dir", set_path<&config::PathOptions::state_dir>},
    {"--images-dir", set_path<&config::PathOptions::images_dir>},
    {"--runtimes-dir", set_path<&config::PathOptions::runtimes_dir>},
    {"--listen",
     [](Options& options, std::string_view value) -> std::optional<std::string> {
       options.load.listen = value;
       return std::nullopt;
     }},
    {"--log-format",
     [](Options& options, std::string_view value) -> std::optional<std::string> {
       if (value != "text" && value != "json") return "must be text or json";
       options.load.log_format = value == "json" ? base::LogFormat::kJson : base::LogFormat::kText;
       return std::nullopt;
     }},
}};

bool* find_flag(Options& options, std::string_view name) {
  if (name == "--check-config") return &options.check_config;
  if (name == "--version") return &options.version;
  if (name == "--help" || name == "-h") return &options.help;
  return nullptr;
}

}  // namespace

std::expected<Options, std::string> parse_options(std::span<const char* const> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (bool* flag = find_flag(options, argument)) {
      *flag = true;
      continue;
    }
    const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    const std::string name(argument.substr(0, equals));
    const auto* known = std::ranges::find(kValueOptions, name, &ValueOption::name);
    if (known == kValueOptions.end()) {
      return std::unexpected("there is no option or argument \"" + name + "\"; see outriggerd --help");
    }
    if (equals == std::string_view::npos && i + 1 == arguments.size()) {
      return std::unexpected(name + " needs a value; see outriggerd --help");
    }
    const std::string_view value = equals == std::string_view::npos ? arguments[++i] : argument.substr(equals + 1);
    if (value.empty()) return std::unexpected(name + " needs a value that is not empty");
    if (const auto wrong = known->set(options, value)) return std::unexpected(name + " " + *wrong);
  }
  return options;
}

std::string_view usage() {
  return R"(outriggerd runs untrusted programs in jails, for clients that ask over HTTP.

Usage: outriggerd [options]

  --listen HOST:PORT    address to serve on                 (default 127.0.0.1:8080)
  --state-dir DIR       keep everything it writes below DIR (default /run/outrigger, /var/lib/outrigger)
  --config FILE         configuration in TOML               (default DIR/config.toml or /etc/outrigger/config.toml)
  --check-config        say whether the configuration is good, and end
  --images-dir DIR      where the root file systems lie     (or OUTRIGGER_IMAGES_DIR)
  --runtimes-dir DIR    where the runtimes' TOML files lie  (or OUTRIGGER_RUNTIMES_DIR)
  --log-format FORMAT   text or json, on stderr             (default text)
  --version             print the version, and end

It must be started as root, and gives that up before it serves. SIGTERM ends it in order, a second one at once.
Example: outriggerd --listen 127.0.0.1:8080 --state-dir /tmp/outrigger
)";
}

}  // namespace outrigger::outriggerd
