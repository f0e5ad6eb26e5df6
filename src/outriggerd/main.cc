#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>

#include "base/log.h"
#include "config/load.h"
#include "outriggerd/options.h"
#include "outriggerd/process_setup.h"
#include "outriggerd/startup.h"
#include "outriggerd/stores.h"
#include "outriggerd/tenancy.h"

namespace {

namespace daemon_ns = outrigger::outriggerd;

constexpr int kFailed = 1;
constexpr int kUsage = 2;

int run(std::span<const char* const> arguments) {
  const auto options = daemon_ns::parse_options(arguments);
  if (!options) {
    daemon_ns::complain(options.error());
    return kUsage;
  }
  if (options->help) {
    const std::string_view text = daemon_ns::usage();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : kFailed;
  }
  if (options->version) return std::puts("outriggerd " OUTRIGGER_VERSION) < 0 ? kFailed : 0;
  const auto config = outrigger::config::load(options->load);
  if (!config) {
    daemon_ns::complain(config.error().text());
    return kFailed;
  }
  if (const auto checked = daemon_ns::check_stores(*config); !checked) {
    daemon_ns::complain(checked.error().text());
    return kFailed;
  }
  if (const auto checked = daemon_ns::check_tokens(*config); !checked) {
    daemon_ns::complain(checked.error().text());
    return kFailed;
  }
  if (options->check_config) {
    daemon_ns::complain(config->paths.config_file.string() + " is good, or absent where it may be");
    return 0;
  }
  outrigger::base::set_log_level(config->log_level);
  outrigger::base::set_log_format(config->log_format);
  return daemon_ns::serve(*config);
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto reset = daemon_ns::reset_inherited_state(); !reset) {
    daemon_ns::complain(reset.error().text());
    return kFailed;
  }
  try {
    return run(std::span<const char* const>(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0));
  } catch (const std::exception& error) {
    daemon_ns::complain(std::string("a fault of its own: ") + error.what());
    return kFailed;
  }
}
