#pragma once

#include "base/error.h"
#include "jailer/jail_table.h"
#include "jailer/protocol.h"

namespace outrigger::jailer {

// Serves the daemon's requests on `socket` until it closes; then ends every jail and returns.
void serve(int socket, JailTable& jails);

void set_failure(Failure& failure, const base::Error& error);

}  // namespace outrigger::jailer
