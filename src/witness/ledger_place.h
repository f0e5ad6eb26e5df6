#pragma once

#include "base/error.h"
#include "base/unique_fd.h"
#include "config/config.h"

namespace outrigger::witness {

// <lib dir>/ledger. Making it makes what is above it, too.
base::Result<base::UniqueFd> make_ledger_dir(const config::Paths& paths);
// kNotFound, with a sentence, where no auditor has ever written there.
base::Result<base::UniqueFd> open_ledger_dir(const config::Paths& paths);

}  // namespace outrigger::witness
