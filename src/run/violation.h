#pragma once

#include <optional>

#include "run/evidence.h"

namespace outrigger::run {

// Takes one pending notification from a seccomp listener (seccomp_unotify(2)). Nothing where its caller died meanwhile.
// It is never answered: the caller stays held by the kernel until the jail is killed.
// Never waits.
std::optional<Violation> take_violation(int listener);

// True once no task is left that its filter could stop.
bool is_abandoned(int listener);

}  // namespace outrigger::run
