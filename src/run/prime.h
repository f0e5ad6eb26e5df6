#pragma once

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jailer/client.h"
#include "model/limits.h"
#include "model/runtime.h"

namespace outrigger::run {

// A jail that stands finished and sealed before its job is there; with kPreload its interpreter runs in it and waits.
// No byte of a caller's has been in it.
struct PrimedJail {
  jailer::Jail jail;
  base::UniqueFd listener;  // of its filter
};

// Brings a jail that was just built to the point where only the program is missing. The limits are those it was built
// with. On an error the jail is in no usable state; the caller destroys it. Error steps: the failing step's,
// await_ready, prime (the interpreter ended, did something forbidden, or did not say in time that it waits).
boost::asio::awaitable<base::Result<PrimedJail>> prime(jailer::Jail jail, const model::Runtime& runtime,
                                                       std::chrono::milliseconds cpu_time);

// False where it has died meanwhile, or its filter has stopped something: such a jail is never handed out.
bool is_untouched(const PrimedJail& primed);

}  // namespace outrigger::run
