#include "jail/filter_builder.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "jail/syscall_policy.h"

namespace outrigger::jail {
namespace {

struct ContextDeleter {
  void operator()(void* context) const { seccomp_release(context); }
};
using Context = std::unique_ptr<void, ContextDeleter>;

// The kernel takes these arguments as 32-bit int: comparing all 64 bits would let a caller past with a bit set above.
constexpr std::uint64_t kInt = 0xffffffff;

// Collects the first refusal, so that the rules below read as a list.
class Rules {
 public:
  explicit Rules(scmp_filter_ctx context) : context_(context) {}

  void add(std::uint32_t action, std::string_view name) { add(action, name, {}); }

  void add(std::uint32_t action, std::string_view name, std::initializer_list<scmp_arg_cmp> arguments) {
    const int number = seccomp_syscall_resolve_name(std::string(name).c_str());
    if (number == __NR_SCMP_ERROR) return fail(name, EINVAL);
    add_number(action, number, name, arguments);
  }

  void add_number(std::uint32_t action, int number, std::string_view name,
                  std::initializer_list<scmp_arg_cmp> arguments) {
    const int rc =
        seccomp_rule_add_array(context_, action, number, static_cast<unsigned>(arguments.size()), arguments.begin());
    if (rc != 0) fail(name, -rc);
  }

  void attribute(scmp_filter_attr which, std::uint32_t value, std::string_view name) {
    if (const int rc = seccomp_attr_set(context_, which, value); rc != 0) fail(name, -rc);
  }

  [[nodiscard]] base::Status status() const { return status_; }

 private:
  void fail(std::string_view what, int errno_value) {
    if (status_) status_ = base::system_error("build_filter", what, errno_value);
  }

  scmp_filter_ctx context_;
  base::Status status_;
};

scmp_arg_cmp equals(unsigned argument, std::uint64_t value) {
  return scmp_arg_cmp{argument, SCMP_CMP_MASKED_EQ, kInt, value};
}
scmp_arg_cmp bits(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return scmp_arg_cmp{argument, SCMP_CMP_MASKED_EQ, mask, value};
}

// clone(2) makes threads and processes; with a namespace flag it is unshare(2) under another name. clone3(2) hides its
// flags in memory where no filter can see them: it is left to the default, ENOSYS, and libc falls back to clone.
void add_clone(Rules& rules) {
  constexpr std::array<std::uint64_t, 7> kNamespaceFlags{CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                                         CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
  std::uint64_t all = 0;
  for (const std::uint64_t flag : kNamespaceFlags) {
    all |= flag;
    rules.add(SCMP_ACT_NOTIFY, "clone", {bits(0, flag, flag)});
  }
  rules.add(SCMP_ACT_ALLOW, "clone", {bits(0, all, 0)});
}

// A socket can not be made, only a pair of connected ones. AF_UNIX is refused by errno, not by death: libc itself tries
// one to reach nscd whenever a program asks for a user's name. libseccomp has no masked "not equal", so the other
// families are told by their bits; numbers of 64 and more, which no kernel has given out, are left to ENOSYS.
void add_sockets(Rules& rules, SocketRule rule) {
  static_assert(AF_UNIX == 1 && AF_MAX < 64);
  const bool refused = rule == SocketRule::kRefused;
  if (refused) {
    rules.add(SCMP_ACT_ERRNO(EAFNOSUPPORT), "socket");
  } else {
    rules.add(SCMP_ACT_ERRNO(EAFNOSUPPORT), "socket", {equals(0, AF_UNIX)});
  }
  rules.add(SCMP_ACT_ALLOW, "socketpair", {equals(0, AF_UNIX)});
  for (const char* name : {"socket", "socketpair"}) {
    if (refused && name == std::string_view("socket")) continue;
    rules.add(SCMP_ACT_NOTIFY, name, {equals(0, AF_UNSPEC)});
    for (const std::uint64_t bit : {2ULL, 4ULL, 8ULL, 16ULL, 32ULL})
      rules.add(SCMP_ACT_NOTIFY, name, {bits(0, bit, bit)});
  }
}

void add_mknod(Rules& rules) {
  const std::array<std::pair<const char*, unsigned>, 2> calls{{{"mknod", 1}, {"mknodat", 2}}};
  for (const auto& [name, mode] : calls) {
    for (const unsigned type : {0U + S_IFREG, 0U + S_IFIFO, 0U + S_IFSOCK})
      rules.add(SCMP_ACT_ALLOW, name, {bits(mode, S_IFMT, type)});
    rules.add(SCMP_ACT_ALLOW, name, {bits(mode, S_IFMT, 0)});
    for (const unsigned type : {0U + S_IFCHR, 0U + S_IFBLK})
      rules.add(SCMP_ACT_NOTIFY, name, {bits(mode, S_IFMT, type)});
  }
}

void add_ioctl(Rules& rules) {
  constexpr std::array<std::uint64_t, 17> kAllowed{TCGETS,    TCSETS,    TCSETSW,  TCSETSF,    TIOCGWINSZ, TIOCSWINSZ,
                                                   TIOCGPGRP, TIOCSPGRP, TIOCGSID, FIONREAD,   FIONBIO,    FIOASYNC,
                                                   FIOCLEX,   FIONCLEX,  TIOCGPTN, TIOCSPTLCK, TCGETA};
  for (const std::uint64_t request : kAllowed) rules.add(SCMP_ACT_ALLOW, "ioctl", {equals(1, request)});
  // Typing into somebody's terminal.
  for (const unsigned request : {0U + TIOCSTI, 0U + TIOCLINUX})
    rules.add(SCMP_ACT_NOTIFY, "ioctl", {equals(1, request)});
}

void add_prctl(Rules& rules) {
  constexpr std::array kAllowed{PR_SET_PDEATHSIG,
                                PR_GET_PDEATHSIG,
                                PR_GET_DUMPABLE,
                                PR_SET_DUMPABLE,
                                PR_SET_NAME,
                                PR_GET_NAME,
                                PR_GET_KEEPCAPS,
                                PR_GET_SECCOMP,
                                PR_CAPBSET_READ,
                                PR_SET_TIMERSLACK,
                                PR_GET_TIMERSLACK,
                                PR_SET_NO_NEW_PRIVS,
                                PR_GET_NO_NEW_PRIVS,
                                PR_SET_CHILD_SUBREAPER,
                                PR_GET_CHILD_SUBREAPER,
                                PR_GET_THP_DISABLE,
                                PR_SET_THP_DISABLE,
                                PR_CAP_AMBIENT,
                                PR_SET_VMA,
                                PR_GET_TID_ADDRESS,
                                PR_GET_SECUREBITS};
  for (const int option : kAllowed) {
    rules.add(SCMP_ACT_ALLOW, "prctl", {equals(0, static_cast<std::uint32_t>(option))});
  }
}

// RLIMIT_CORE stays what sandbox_init set: any other value lets the host's core helper run for a guest's crash. Reading
// it (prlimit64 with no new limit) is fine.
void add_resource_limits(Rules& rules) {
  static_assert(RLIMIT_CORE == 4 && RLIM_NLIMITS == 16);
  for (const auto& [name, resource] : {std::pair("setrlimit", 0U), std::pair("prlimit64", 1U)}) {
    rules.add(SCMP_ACT_ALLOW, name, {bits(resource, kInt & ~3ULL, 0)});  // 0 to 3
    for (const std::uint64_t which : {5ULL, 6ULL, 7ULL}) rules.add(SCMP_ACT_ALLOW, name, {equals(resource, which)});
    rules.add(SCMP_ACT_ALLOW, name, {bits(resource, kInt & ~7ULL, 8)});  // 8 to 15
  }
  rules.add(SCMP_ACT_ALLOW, "prlimit64", {equals(1, RLIMIT_CORE), scmp_arg_cmp{2, SCMP_CMP_EQ, 0, 0}});
  rules.add(SCMP_ACT_ERRNO(EPERM), "prlimit64", {equals(1, RLIMIT_CORE), scmp_arg_cmp{2, SCMP_CMP_NE, 0, 0}});
  rules.add(SCMP_ACT_ERRNO(EPERM), "setrlimit", {equals(0, RLIMIT_CORE)});
}

// PER_LINUX set or asked for; nothing that turns address randomisation off or makes memory executable.
void add_personality(Rules& rules) {
  for (const std::uint64_t persona : {0ULL, 0xffffffffULL})
    rules.add(SCMP_ACT_ALLOW, "personality", {equals(0, persona)});
}

base::Result<base::UniqueFd> export_sealed(scmp_filter_ctx context) {
  base::UniqueFd fd(::memfd_create("filter", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return base::system_error("build_filter", "memfd_create");
  if (const int rc = seccomp_export_bpf(context, fd.get()); rc != 0)
    return base::system_error("build_filter", "export", -rc);
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    return base::system_error("build_filter", "seal");
  }
  return fd;
}

}  // namespace

base::Result<std::int32_t> syscall_number(const std::string& name) {
  const int number = seccomp_syscall_resolve_name(name.c_str());
  if (number < 0) return base::failure(base::Code::kInvalid, "syscall_number", "no syscall is named " + name);
  return number;
}

base::Result<base::UniqueFd> build_filter(std::span<const std::int32_t> extra, SocketRule sockets) {
  const Context context(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)));
  if (!context) return base::system_error("build_filter", "seccomp_init", ENOMEM);
  Rules rules(context.get());
  // A foreign architecture (i386 by int 0x80, x32) is reported like any dangerous call.
  rules.attribute(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_NOTIFY, "bad architecture");
  rules.attribute(SCMP_FLTATR_CTL_OPTIMIZE, 2, "binary tree");
  rules.attribute(SCMP_FLTATR_CTL_NNP, 0, "no_new_privs");
  for (const std::string_view name : allowed_syscalls()) rules.add(SCMP_ACT_ALLOW, name);
  for (const std::string_view name : dangerous_syscalls()) rules.add(SCMP_ACT_NOTIFY, name);
  add_clone(rules);
  add_sockets(rules, sockets);
  add_mknod(rules);
  add_ioctl(rules);
  add_prctl(rules);
  add_personality(rules);
  add_resource_limits(rules);
  for (const std::int32_t number : extra) {
    const auto is_number = [number](std::string_view name) {
      return seccomp_syscall_resolve_name(std::string(name).c_str()) == number;
    };
    if (std::ranges::any_of(dangerous_syscalls(), is_number)) {
      return base::failure(base::Code::kInvalid, "build_filter",
                           "extra syscall " + std::to_string(number) + " is on the dangerous list");
    }
    if (std::ranges::any_of(allowed_syscalls(), is_number)) continue;
    rules.add_number(SCMP_ACT_ALLOW, number, std::to_string(number), {});
  }
  if (const base::Status status = rules.status(); !status) return std::unexpected(status.error());
  return export_sealed(context.get());
}

std::string syscall_name(std::uint32_t audit_arch, std::int32_t number) {
  constexpr std::int32_t kX32Bit = 0x40000000;
  std::uint32_t token = 0;
  std::string prefix;
  if (audit_arch == AUDIT_ARCH_X86_64) {
    token = SCMP_ARCH_X86_64;
    if (number >= kX32Bit) {
      prefix = "x32:";
      token = SCMP_ARCH_X32;
    }
  } else if (audit_arch == AUDIT_ARCH_I386) {
    prefix = "i386:";
    token = SCMP_ARCH_X86;
  } else {
    std::array<char, 9> hex{};
    std::to_chars(hex.data(), hex.data() + 8, audit_arch, 16);
    return std::string("arch ") + hex.data() + ":" + std::to_string(number);
  }
  char* name = seccomp_syscall_resolve_num_arch(token, number);
  const std::string known = name != nullptr ? name : std::to_string(number);
  ::free(name);  // NOLINT: libseccomp hands out malloc'ed memory
  return prefix + known;
}

}  // namespace outrigger::jail
