#pragma once

#include "config/config.h"
#include "fleet/dispatch_line.h"
#include "roster/estate.h"

namespace outrigger::witness {

// Where the audited daemon answers: as configured, else as it has written down itself. An address that means all of a
// machine's is taken as this machine's loopback.
fleet::DaemonAddress find_daemon(const roster::Estate& estate, const config::Config& config);

}  // namespace outrigger::witness
