#include "jail/syscall_policy.h"

#include <array>

namespace outrigger::jail {
namespace {

using namespace std::string_view_literals;

// clang-format off: a table by subject
// Allowed whatever the arguments. Calls that need a look at their arguments are in filter_builder.cc.
constexpr std::array kAllowed{
    // files and directories
    "access"sv, "chdir"sv, "chmod"sv, "chown"sv, "close"sv, "close_range"sv, "copy_file_range"sv, "creat"sv, "dup"sv,
    "dup2"sv, "dup3"sv, "faccessat"sv, "faccessat2"sv, "fadvise64"sv, "fallocate"sv, "fchdir"sv, "fchmod"sv,
    "fchmodat"sv, "fchown"sv, "fchownat"sv, "fcntl"sv, "fdatasync"sv, "fgetxattr"sv, "flistxattr"sv, "flock"sv,
    "fstat"sv, "fstatfs"sv, "fsync"sv, "ftruncate"sv, "futimesat"sv, "getcwd"sv, "getdents"sv, "getdents64"sv,
    "getxattr"sv, "inotify_add_watch"sv, "inotify_init"sv, "inotify_init1"sv, "inotify_rm_watch"sv, "lchown"sv,
    "lgetxattr"sv, "link"sv, "linkat"sv, "listxattr"sv, "llistxattr"sv, "lseek"sv, "lstat"sv, "mkdir"sv, "mkdirat"sv,
    "newfstatat"sv, "open"sv, "openat"sv, "openat2"sv, "pread64"sv, "preadv"sv, "preadv2"sv, "pwrite64"sv,
    "pwritev"sv, "pwritev2"sv, "read"sv, "readahead"sv, "readlink"sv, "readlinkat"sv, "readv"sv, "rename"sv,
    "renameat"sv, "renameat2"sv, "rmdir"sv, "sendfile"sv, "stat"sv, "statfs"sv, "statx"sv, "symlink"sv, "symlinkat"sv,
    "truncate"sv, "umask"sv, "unlink"sv, "unlinkat"sv, "utime"sv, "utimensat"sv, "utimes"sv, "write"sv, "writev"sv,
    // waiting
    "epoll_create"sv, "epoll_create1"sv, "epoll_ctl"sv, "epoll_pwait"sv, "epoll_pwait2"sv, "epoll_wait"sv,
    "eventfd"sv, "eventfd2"sv, "poll"sv, "ppoll"sv, "pselect6"sv, "select"sv, "signalfd"sv, "signalfd4"sv,
    "timerfd_create"sv, "timerfd_gettime"sv, "timerfd_settime"sv,
    // pipes, and the ends of socket pairs (a socket of one's own cannot be made)
    "getpeername"sv, "getsockname"sv, "getsockopt"sv, "pipe"sv, "pipe2"sv, "recvfrom"sv, "recvmmsg"sv, "recvmsg"sv,
    "sendmmsg"sv, "sendmsg"sv, "sendto"sv, "setsockopt"sv, "shutdown"sv,
    // memory
    "brk"sv, "madvise"sv, "membarrier"sv, "memfd_create"sv, "mincore"sv, "mlock"sv, "mlock2"sv, "mmap"sv,
    "mprotect"sv, "mremap"sv, "msync"sv, "munlock"sv, "munmap"sv, "pkey_alloc"sv, "pkey_free"sv, "pkey_mprotect"sv,
    // processes and threads
    "arch_prctl"sv, "execve"sv, "execveat"sv, "exit"sv, "exit_group"sv, "fork"sv, "futex"sv, "get_robust_list"sv,
    "getcpu"sv, "getegid"sv, "geteuid"sv, "getgid"sv, "getgroups"sv, "getpgid"sv, "getpgrp"sv, "getpid"sv,
    "getppid"sv, "getpriority"sv, "getresgid"sv, "getresuid"sv, "getrlimit"sv, "getrusage"sv, "getsid"sv, "gettid"sv,
    "getuid"sv, "capget"sv, "capset"sv, "pidfd_open"sv, "pidfd_send_signal"sv, "restart_syscall"sv,
    "rseq"sv, "sched_get_priority_max"sv, "sched_get_priority_min"sv, "sched_getaffinity"sv, "sched_getattr"sv,
    "sched_getparam"sv, "sched_getscheduler"sv, "sched_rr_get_interval"sv, "sched_setaffinity"sv, "sched_setattr"sv,
    "sched_setparam"sv, "sched_setscheduler"sv, "sched_yield"sv, "set_robust_list"sv, "set_tid_address"sv,
    "setfsgid"sv, "setfsuid"sv, "setgid"sv, "setgroups"sv, "setpgid"sv, "setpriority"sv, "setregid"sv, "setresgid"sv,
    "setresuid"sv, "setreuid"sv, "setsid"sv, "setuid"sv, "vfork"sv, "wait4"sv, "waitid"sv,
    // signals
    "kill"sv, "pause"sv, "rt_sigaction"sv, "rt_sigpending"sv, "rt_sigprocmask"sv, "rt_sigqueueinfo"sv,
    "rt_sigreturn"sv, "rt_sigsuspend"sv, "rt_sigtimedwait"sv, "rt_tgsigqueueinfo"sv, "sigaltstack"sv, "tgkill"sv,
    "tkill"sv,
    // time, and what programs ask of the system
    "alarm"sv, "clock_getres"sv, "clock_gettime"sv, "clock_nanosleep"sv, "getitimer"sv, "getrandom"sv,
    "gettimeofday"sv, "nanosleep"sv, "setitimer"sv, "sysinfo"sv, "time"sv, "timer_create"sv, "timer_delete"sv,
    "timer_getoverrun"sv, "timer_gettime"sv, "timer_settime"sv, "times"sv, "uname"sv,
};

// No program that computes has a use for these; whoever calls one is trying something.
constexpr std::array kDangerous{
    // other processes' memory
    "kcmp"sv, "pidfd_getfd"sv, "process_madvise"sv, "process_vm_readv"sv, "process_vm_writev"sv, "ptrace"sv,
    // namespaces and mounts
    "chroot"sv, "fsconfig"sv, "fsmount"sv, "fsopen"sv, "fspick"sv, "mount"sv, "mount_setattr"sv, "move_mount"sv,
    "open_tree"sv, "pivot_root"sv, "setns"sv, "umount2"sv, "unshare"sv,
    // the kernel's own attack surface
    "add_key"sv, "bpf"sv, "fanotify_init"sv, "fanotify_mark"sv, "keyctl"sv, "lookup_dcookie"sv, "perf_event_open"sv,
    "request_key"sv, "userfaultfd"sv, "vmsplice"sv,
    // the machine
    "acct"sv, "adjtimex"sv, "clock_adjtime"sv, "clock_settime"sv, "delete_module"sv, "finit_module"sv,
    "init_module"sv, "ioperm"sv, "iopl"sv, "kexec_file_load"sv, "kexec_load"sv, "modify_ldt"sv, "open_by_handle_at"sv,
    "quotactl"sv, "quotactl_fd"sv, "reboot"sv, "setdomainname"sv, "sethostname"sv, "settimeofday"sv, "swapoff"sv,
    "swapon"sv, "syslog"sv, "uselib"sv, "vhangup"sv,
};

// clang-format on

}  // namespace

std::span<const std::string_view> allowed_syscalls() { return kAllowed; }
std::span<const std::string_view> dangerous_syscalls() { return kDangerous; }

}  // namespace outrigger::jail
