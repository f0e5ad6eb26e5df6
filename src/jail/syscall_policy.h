#pragma once

#include <span>
#include <string_view>

// Which system calls a guest may make, as data. Three answers: allowed; refused with ENOSYS, so that libc falls back
// (the default, for all that is merely new or needless); or dangerous: recorded by name, and the jail is ended.
namespace outrigger::jail {

std::span<const std::string_view> allowed_syscalls();
std::span<const std::string_view> dangerous_syscalls();

}  // namespace outrigger::jail
