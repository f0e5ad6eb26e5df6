#pragma once

#include "config/config.h"
#include "config/paths.h"
#include "config/toml_section.h"

namespace outrigger::config {

// The sections [audit], [queue] and [webhook], and the key `node`.
void read_stores(TomlSection& root, Config& config);

// What the environment says of them, where an orchestrator hands secrets and a machine's name over: OUTRIGGER_NODE,
// OUTRIGGER_POSTGRES_URL, OUTRIGGER_REDIS_URL, OUTRIGGER_WEBHOOK_SECRET. kInvalid names the variable, never its value.
base::Status apply_store_environment(Config& config, const Environment& environment);

}  // namespace outrigger::config
