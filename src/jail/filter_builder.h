#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::jail {

// What becomes of socket(2). None can be had either way.
enum class SocketRule {
  kEndsJail,  // whoever tries one is trying something; only AF_UNIX is refused, which libc itself tries
  kRefused,   // with EAFNOSUPPORT: for run-times that ask, when they start, which protocols there are
};

// Builds the seccomp filter of a runtime and returns it as a sealed memfd of BPF instructions, to be loaded with
// SECCOMP_FILTER_FLAG_NEW_LISTENER. `extra` are syscall numbers of this architecture allowed besides the common list; a
// number from the dangerous list is refused (kInvalid): no runtime file may open those.
base::Result<base::UniqueFd> build_filter(std::span<const std::int32_t> extra,
                                          SocketRule sockets = SocketRule::kEndsJail);

// The number of a syscall by name on this architecture; kInvalid where libseccomp knows none.
base::Result<std::int32_t> syscall_number(const std::string& name);

// A name for what a listener reported: "socket", "i386:socketcall", "x32:getpid"; "arch c000003e:999" at the worst.
std::string syscall_name(std::uint32_t audit_arch, std::int32_t number);

}  // namespace outrigger::jail
