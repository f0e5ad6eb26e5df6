#include "witness/watch.h"
#include "crows_nest/verbs.h"
#include "witness/end_signals.h"

namespace outrigger::crows_nest {

int run(const WatchVerb& options) {
  auto config = load_settings(options.settings);
  if (!config) return cannot(config.error());
  base::set_log_level(config->log_level);
  base::set_log_format(config->log_format);
  witness::block_end_signals();
  auto watch = witness::Watch::open({std::move(*config), OUTRIGGER_VERSION});
  if (!watch) return cannot(watch.error());
  const auto ended = (*watch)->run();
  return ended ? kHealthy : cannot(ended.error());
}

}  // namespace outrigger::crows_nest
