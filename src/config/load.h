#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "config/config.h"
#include "config/paths.h"

namespace outrigger::config {

// What the command line said; each of these wins over the file.
struct LoadOptions {
  PathOptions paths;
  std::optional<std::string> listen;  // "HOST:PORT"
  std::optional<base::LogFormat> log_format;
};

// The configuration: the file (a named one must exist, the default one may be missing), then the options. Every key is
// known, every value in range, the whole consistent (docs/configuration.md); kInvalid says which key, line and column.
base::Result<Config> load(const LoadOptions& options, const std::filesystem::path& exe_dir = executable_directory(),
                          const Environment& environment = process_environment);

// As load(), from text: `name` stands for the file's in messages. For tests and --check-config.
base::Status apply_toml(Config& config, std::string_view text, std::string_view name);

// "127.0.0.1:8080", "[::1]:0", "localhost:8080" into host (a numeric address) and port.
base::Status parse_listen(std::string_view text, Server& server);

// Whether a numeric address is reachable from this machine only.
bool is_loopback(const std::string& host);

}  // namespace outrigger::config
