#include "config/load.h"
#include "config/apply_stores.h"
#include "config/tokens.h"

#include <cerrno>
#include <fstream>
#include <iterator>

namespace outrigger::config {
namespace {

constexpr std::size_t kMaxFileSize = 1U << 20;

// Nothing where the file does not exist.
base::Result<std::optional<std::string>> read_file(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return std::nullopt;
    return base::system_error("config", path.string());
  }
  std::string text(kMaxFileSize + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  // A directory opens, but does not read.
  if (file.bad()) return base::system_error("config", path.string());
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxFileSize)
    return base::failure(base::Code::kTooLarge, "config", path.string() + ": larger than 1 MiB");
  return text;
}

// What was said on the command line or in the environment is stronger than the file.
void restore_stronger_paths(Paths& paths, const Paths& resolved, const PathOptions& options,
                            const Environment& environment) {
  const auto set = [&environment](const char* name) { return !environment(name).value_or("").empty(); };
  if (options.images_dir || set("OUTRIGGER_IMAGES_DIR")) paths.images_dir = resolved.images_dir;
  if (options.runtimes_dir || set("OUTRIGGER_RUNTIMES_DIR")) paths.runtimes_dir = resolved.runtimes_dir;
  if (options.state_dir) {
    paths.run_dir = resolved.run_dir;
    paths.lib_dir = resolved.lib_dir;
  }
}

base::Status apply_file(Config& config, const std::filesystem::path& path, bool must_exist) {
  const auto read = read_file(path);
  if (!read) return std::unexpected(read.error());
  const std::optional<std::string>& text = *read;
  if (text) return apply_toml(config, *text, path.string());
  if (must_exist) return base::system_error("config", path.string(), ENOENT);
  return {};
}

}  // namespace

base::Result<Config> load(const LoadOptions& options, const std::filesystem::path& exe_dir,
                          const Environment& environment) {
  Config config;
  const Paths resolved = resolve_paths(options.paths, exe_dir, environment);
  config.paths = resolved;
  const bool must_exist = options.paths.config_file.has_value();
  if (const auto applied = apply_file(config, resolved.config_file, must_exist); !applied) {
    return std::unexpected(applied.error());
  }
  restore_stronger_paths(config.paths, resolved, options.paths, environment);
  if (const auto applied = apply_store_environment(config, environment); !applied) {
    return std::unexpected(applied.error());
  }
  if (const auto applied = apply_token_environment(config, environment); !applied) {
    return std::unexpected(applied.error());
  }
  if (options.log_format) config.log_format = *options.log_format;
  if (options.listen) {
    if (auto parsed = parse_listen(*options.listen, config.server); !parsed) {
      parsed.error().context.insert(0, "--listen ");
      return std::unexpected(parsed.error());
    }
  }
  return config;
}

}  // namespace outrigger::config
