#pragma once

#include <cerrno>
#include <expected>
#include <string>
#include <string_view>

namespace outrigger::base {

// What kind of failure this is. One table (api/) maps it to an HTTP status; nothing else decides by text.
enum class Code {
  kInvalid,      // the caller's input breaks a rule
  kNotFound,     // the thing named does not exist
  kConflict,     // it exists already, or in another form
  kTooLarge,     // above a size limit
  kUnsupported,  // this build or this host cannot do it
  kExhausted,    // no slot, memory or descriptor is free now; trying again later may help
  kOverQuota,    // the tenant's own quota is used up; trying again later may help
  kPaused,       // dispatch is paused
  kUnavailable,  // something this depends on is away or full; trying again later may help
  kTimedOut,     // a deadline passed
  kCancelled,    // the caller gave up
  kSystem,       // the kernel said no; errno_value tells why
  kInternal,     // our own fault
};

std::string_view code_name(Code code);

// A failure as a value. `step` names what was being done in the words of SECURITY.md's list of steps ("mount_proc"),
// `context` the object it was done to (a path, a field's name); errno_value is 0 where no system call failed.
struct Error {
  std::string step;
  Code code = Code::kInternal;
  int errno_value = 0;
  std::string context;

  // "mount_proc: Operation not permitted (EPERM): /proc"
  [[nodiscard]] std::string text() const;
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = std::expected<void, Error>;

// An error from the errno of the system call that just failed.
[[nodiscard]] std::unexpected<Error> system_error(std::string_view step, std::string_view context = {},
                                                  int errno_value = errno);
[[nodiscard]] std::unexpected<Error> failure(Code code, std::string_view step, std::string_view context);

// "EPERM" for 1; the number itself where libc knows no name.
std::string errno_name(int errno_value);

}  // namespace outrigger::base
