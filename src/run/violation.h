#pragma once

#include <optional>

#include "run/evidence.h"

namespace outrigger::run {

// Takes one pending notification from a seccomp listener (seccomp_unotify(2)). Nothing where its caller died meanwhile.
// It is never answered: the caller stays held by the kernel until the jail is killed.
std::optional<Violation> take_violation(int listener);

}  // namespace outrigger::run
