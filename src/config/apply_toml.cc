#include <algorithm>
#include <array>

#include "config/apply_auditor.h"
#include "config/apply_stores.h"
#include "config/load.h"
#include "config/tokens.h"
#include "config/toml_section.h"
#include "model/limit_fields.h"

namespace outrigger::config {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

void read_server(TomlSection section, Server& server) {
  std::string listen;
  section.text("listen", listen);
  if (!listen.empty()) {
    if (const auto parsed = parse_listen(listen, server); !parsed) section.refuse("listen", parsed.error().context);
  }
  section.milliseconds("header_timeout_ms", 100ms, 10min, server.header_timeout);
  section.milliseconds("body_timeout_ms", 100ms, 1h, server.body_timeout);
  section.milliseconds("idle_timeout_ms", 100ms, 24h, server.idle_timeout);
  section.milliseconds("shutdown_grace_ms", 0ms, 1h, server.shutdown_grace);
  section.integer<std::uint32_t>("max_connections", 1, 100'000, server.max_connections);
  section.texts("tokens", server.tokens);
  if (!std::ranges::all_of(server.tokens, is_token)) section.refuse("tokens", kTokenRule);
  section.absolute_path("tokens_file", server.tokens_file);
  section.finish();
}

void read_pool(TomlSection section, Pool& pool) {
  section.integer<std::uint32_t>("slots", 1, 1024, pool.slots);
  section.milliseconds("acquire_timeout_ms", 0ms, 10min, pool.acquire_timeout);
  section.integer<std::uint32_t>("max_waiting", 0, 100'000, pool.max_waiting);
  section.integer<std::uint64_t>("primed_memory_bytes", 0, 1ULL << 40, pool.primed_memory_bytes);
  section.finish();
}

void read_compile(TomlSection section, Compile& compile) {
  section.integer<std::uint64_t>("cache_bytes", 0, 1ULL << 40, compile.cache_bytes);
  section.finish();
}

void read_jail(TomlSection section, Jail& jail) {
  // Below lie the ids of the host's own users; above the upper end the range would not fit.
  section.integer<std::uint32_t>("uid_base", 65'536, 4'294'900'000, jail.uid_base);
  section.text("cgroup_root", jail.cgroup_root);
  section.finish();
}

void read_limits(TomlSection section, model::Limits& limits, std::array<bool, model::kLimitFields.size()>& given) {
  for (std::size_t i = 0; i < model::kLimitFields.size(); ++i) {
    const model::LimitField& field = model::kLimitFields.at(i);
    double value = 0;
    given.at(i) = section.number(field.name, field.minimum, field.maximum, field.whole, value);
    if (given.at(i)) field.set(limits, value);
  }
  section.finish();
}

// A lowered ceiling lowers the default with it, unless that was given: then it is a contradiction.
void read_limits_and_ceilings(TomlSection& root, Config& config) {
  std::array<bool, model::kLimitFields.size()> given{};
  std::array<bool, model::kLimitFields.size()> capped{};
  TomlSection limits = root.section("limits");
  read_limits(limits, config.default_limits, given);
  read_limits(root.section("ceilings"), config.limit_ceilings, capped);
  for (std::size_t i = 0; i < model::kLimitFields.size(); ++i) {
    const model::LimitField& field = model::kLimitFields.at(i);
    if (field.get(config.default_limits) <= field.get(config.limit_ceilings)) continue;
    if (given.at(i)) {
      limits.refuse(field.name, "is above its ceiling; raise ceilings." + std::string(field.name) + " too");
    } else {
      field.set(config.default_limits, field.get(config.limit_ceilings));
    }
  }
}

void read_log(TomlSection section, Config& config) {
  std::string level = "info";
  section.text("level", level);
  static constexpr std::array<std::pair<std::string_view, base::Level>, 4> kLevels{{{"debug", base::Level::kDebug},
                                                                                    {"info", base::Level::kInfo},
                                                                                    {"warn", base::Level::kWarn},
                                                                                    {"error", base::Level::kError}}};
  const auto* found =
      std::ranges::find(kLevels, std::string_view(level), &std::pair<std::string_view, base::Level>::first);
  if (found == kLevels.end()) {
    section.refuse("level", R"(must be "debug", "info", "warn" or "error")");
  } else {
    config.log_level = found->second;
  }
  std::string format = "text";
  section.text("format", format);
  if (format != "text" && format != "json") section.refuse("format", R"(must be "text" or "json")");
  config.log_format = format == "json" ? base::LogFormat::kJson : base::LogFormat::kText;
  section.finish();
}

void read_paths(TomlSection section, Paths& paths) {
  section.absolute_path("run_dir", paths.run_dir);
  section.absolute_path("lib_dir", paths.lib_dir);
  section.absolute_path("runtimes_dir", paths.runtimes_dir);
  section.absolute_path("images_dir", paths.images_dir);
  section.finish();
}

}  // namespace

base::Status apply_toml(Config& config, std::string_view text, std::string_view name) {
  TomlFault fault(name);
  try {
    const toml::table table = toml::parse(text, name);
    TomlSection root(&table, "", fault);
    root.text("user", config.user);
    read_server(root.section("server"), config.server);
    read_pool(root.section("pool"), config.pool);
    read_compile(root.section("compile"), config.compile);
    read_jail(root.section("jail"), config.jail);
    read_stores(root, config);
    read_auditor(root.section("crows_nest"), config.crows_nest);
    read_limits_and_ceilings(root, config);
    read_log(root.section("log"), config);
    read_paths(root.section("paths"), config.paths);
    root.finish();
  } catch (const toml::parse_error& error) {
    fault.report(error.source(), std::string(error.description()));
  }
  if (const auto& message = fault.message()) return base::failure(base::Code::kInvalid, "config", *message);
  return {};
}

}  // namespace outrigger::config
