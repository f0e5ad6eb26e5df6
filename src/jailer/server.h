#pragma once

#include "jailer/jail_table.h"

namespace outrigger::jailer {

// Serves the daemon's requests on `socket` until it closes; then ends every jail and returns.
void serve(int socket, JailTable& jails);

}  // namespace outrigger::jailer
