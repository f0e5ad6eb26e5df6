#pragma once

#include "config/config.h"
#include "config/toml_section.h"

namespace outrigger::config {

// [crows_nest]. The daemon reads it too, so that a mistake in it is found at the first start of either.
void read_auditor(TomlSection section, CrowsNest& auditor);

}  // namespace outrigger::config
