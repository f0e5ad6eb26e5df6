#pragma once

#include <stdint.h>

// What crosses from the jailer and the daemon into a jail and back: fixed-size plain data over the jail's control
// socket (SOCK_SEQPACKET), and the program itself over its launch socket (SOCK_STREAM). Compiled into sandbox_init too,
// hence no library types. All integers in host order: both ends are on one machine, built together.
namespace outrigger::jail {

// The descriptors sandbox_init finds when it starts.
inline constexpr int kStdinFd = 0;
inline constexpr int kStdoutFd = 1;
inline constexpr int kStderrFd = 2;
inline constexpr int kControlFd = 3;      // SEQPACKET: plan and orders in, reports out; its end of file ends the jail
inline constexpr int kLaunchFd = 4;       // STREAM: the program, read by the process that becomes the guest
inline constexpr int kFilterFd = 5;       // a sealed memfd holding the seccomp filter
inline constexpr int kFirstCgroupFd = 6;  // v1: one open `tasks` file a hierarchy

// What sandbox_init is to be: its argument, by the first letter.
inline constexpr char kJailMode[] = "jail";          // builds a jail and forks the guest
inline constexpr char kNursedMode[] = "nursed";      // builds a jail into which a template forks the guest (template.h)
inline constexpr char kTemplateMode[] = "template";  // builds what a template lives in, and becomes the template

// Ids inside the jail. Neither is 0: no process in it has ever a uid that exec would give capabilities to.
inline constexpr uint32_t kInitId = 999;
inline constexpr uint32_t kGuestId = 1000;
// The guest's process id: the first that pid 1 forks, or that is forked into its namespace. Never another's, since the
// kernel gives no number below 300 twice (RESERVED_PIDS in kernel/pid.c), and the jail ends with its guest.
inline constexpr int kGuestPid = 2;
inline constexpr uint32_t kIdsPerJail = 2;  // host ids base + 2 n for init, base + 2 n + 1 for the guest

inline constexpr char kHostName[] = "sandbox";
inline constexpr char kWorkDir[] = "/tmp/work";
inline constexpr char kTerminalPath[] = "/dev/pts/0";        // in a jail that has one,
inline constexpr char kTerminalDevices[] = "/terminal-dev";  // whose /dev is this tree in the jailer's root
inline constexpr char kHomeDir[] = "/tmp/home";

// Each step of making a jail, in order. The names are what an error says; SECURITY.md explains them.
enum class Step : uint32_t {
  kNone,
  kReceivePlan,
  kJoinCgroup,
  kOomScore,
  kSetIds,
  kCgroupNamespace,
  kMountRoot,
  kMountTmp,
  kMountShm,
  kMountProc,
  kMaskProc,
  kPivotRoot,
  kHostName,
  kDropBounding,
  kNoNewPrivs,
  kSeccomp,
  kSendListener,
  kForkGuest,
  kDropCapabilities,
  kCloseDescriptors,
  kReadLaunch,
  kResourceLimits,
  kLayFiles,
  kExec,
  kStartInit,
  kEnterJail,
  kStartHost,
  kKeepCapabilities,
  kMountTerminal,
  kOpenTerminal,
};

constexpr const char* step_name(Step step) {
  switch (step) {
    case Step::kNone: return "none";
    case Step::kReceivePlan: return "receive_plan";
    case Step::kJoinCgroup: return "join_cgroup";
    case Step::kOomScore: return "oom_score";
    case Step::kSetIds: return "set_ids";
    case Step::kCgroupNamespace: return "cgroup_namespace";
    case Step::kMountRoot: return "mount_root";
    case Step::kMountTmp: return "mount_tmp";
    case Step::kMountShm: return "mount_shm";
    case Step::kMountProc: return "mount_proc";
    case Step::kMaskProc: return "mask_proc";
    case Step::kPivotRoot: return "pivot_root";
    case Step::kHostName: return "host_name";
    case Step::kDropBounding: return "drop_bounding";
    case Step::kNoNewPrivs: return "no_new_privs";
    case Step::kSeccomp: return "seccomp";
    case Step::kSendListener: return "send_listener";
    case Step::kForkGuest: return "fork_guest";
    case Step::kDropCapabilities: return "drop_capabilities";
    case Step::kCloseDescriptors: return "close_descriptors";
    case Step::kReadLaunch: return "read_launch";
    case Step::kResourceLimits: return "resource_limits";
    case Step::kLayFiles: return "lay_files";
    case Step::kExec: return "exec";
    case Step::kStartInit: return "start_init";
    case Step::kEnterJail: return "enter_jail";
    case Step::kStartHost: return "start_host";
    case Step::kKeepCapabilities: return "keep_capabilities";
    case Step::kMountTerminal: return "mount_terminal";
    case Step::kOpenTerminal: return "open_terminal";
  }
  return "unknown";
}

// Jailer to sandbox_init, first message on the control socket, once the id maps are written.
struct Plan {
  uint32_t image = 0;  // the tree /images/<n> in the jailer's root
  uint32_t cgroup_fds = 0;
  uint32_t terminal = 0;  // the guest's stdio is a pseudo-terminal; only of kJailMode
  uint64_t tmpfs_bytes = 0;
  uint64_t tmpfs_inodes = 0;
  uint64_t shm_bytes = 0;
};

enum class OrderKind : uint32_t {
  kArm = 1,  // with the hand-over
  kEnd = 2,  // kill all but yourself; only to a jail that was armed to collect, as the others are killed from outside
  kCollect = 3,  // the answer to kAlone: now tell of the files
  kSignal = 4,   // send one to the guest; only to a jail that was armed for it
};

// Daemon to sandbox_init.
struct Order {
  OrderKind kind = OrderKind::kArm;
  uint32_t collects = 0;  // kArm: the jail does not end with its main process, but when its files were told
  uint32_t signals = 0;   // kArm: there may be orders to signal it
  int32_t signal = 0;     // kSignal: which
  uint32_t group = 0;     // kSignal: to its whole process group
  uint64_t alarm_ms = 0;  // kArm: sandbox_init ends the jail by itself when this has passed
};

enum class ReportKind : uint32_t {
  kReady = 1,      // sealed and waiting; carries the seccomp listener as its only descriptor
  kFailed = 2,     // a step failed, the jail ends
  kExited = 3,     // the guest's main process has ended
  kAlone = 4,      // where files are collected: nothing lives in the jail any more but sandbox_init
  kCollected = 5,  // every FoundEntry has been told; the jail ends
  kTerminal = 6,   // before kReady; carries the master's end of the guest's terminal as its only descriptor
};

// sandbox_init to daemon.
struct Report {
  ReportKind kind = ReportKind::kFailed;
  Step step = Step::kNone;        // kFailed
  int32_t errno_value = 0;        // kFailed
  int32_t wait_status = 0;        // kExited: as from wait(2)
  uint64_t at_ns = 0;             // kReady, kExited: when, by CLOCK_MONOTONIC
  uint64_t setup_cpu_ns = 0;      // kReady: CPU time that making the jail took; not the guest's
  uint32_t tmp_out_of_space = 0;  // kExited: /tmp had no free block left
  uint32_t tmp_out_of_inodes = 0;
};

inline constexpr uint32_t kMaxPathBytes = 1024;

// What sandbox_init found below kWorkDir.
enum class EntryKind : uint32_t {
  kFile = 1,  // regular, one link; carries a descriptor, open for reading
  kHardLink,  // regular, more than one link; like all that follows without a descriptor
  kSymlink,
  kDirectory,
  kSpecial,      // FIFO, socket, device
  kUnreadable,   // could not be opened; of a directory: nothing below it is told. An empty path: kWorkDir itself
  kTooDeep,      // a directory more than kMaxDepth below kWorkDir; nothing below it is told
  kPathTooLong,  // in this directory is a name that makes a path of kMaxPathBytes or more
  kTooMany,      // kMaxEntries were told: there may be more
};

inline constexpr uint32_t kMaxDepth = 64;
inline constexpr uint32_t kMaxEntries = 8192;

// sandbox_init to daemon, after kCollect: one for each entry of each directory.
struct FoundEntry {
  EntryKind kind = EntryKind::kSpecial;
  uint32_t path_bytes = 0;        // without a NUL
  uint64_t size = 0;              // of a regular file
  char path[kMaxPathBytes] = {};  // relative to kWorkDir; any bytes but NUL
};

// How long sandbox_init takes at most from the end of the guest to its own, whoever else is there to watch.
inline constexpr uint32_t kCollectSeconds = 10;

// Launched this way the program keeps the launch socket (as kLaunchFd): it is an interpreter that will read a second
// launch, the caller's, from there, once it has written kPrimed to it.
inline constexpr uint32_t kKeepLaunchSocket = 1;
// And the control socket, to report a step that fails; it closes both before it runs anything of the caller's.
inline constexpr uint32_t kKeepControlSocket = 2;
// And it starts in /tmp: one that looks around in its working directory would remember that the job's files are not
// there.
inline constexpr uint32_t kStartElsewhere = 4;
// Its stderr is its stdout: what it writes to either comes through one pipe, in the order in which it was written.
inline constexpr uint32_t kStderrToStdout = 8;
inline constexpr char kPrimed = 'P';

// The launch stream: this header, then `strings_bytes` of NUL-terminated strings (command, arguments, environment, in
// that order), then `files` times a FileHeader, its path with NUL, and its content.
struct LaunchHeader {
  uint32_t argc = 0;
  uint32_t envc = 0;
  uint32_t strings_bytes = 0;
  uint32_t files = 0;
  uint32_t flags = 0;         // kKeepLaunchSocket and the like
  uint32_t command_argc = 0;  // how many of argc are the runtime's command; the rest are the caller's arguments
  uint64_t cpu_seconds = 0;   // RLIMIT_CPU
};

struct FileHeader {
  uint32_t path_bytes = 0;  // with its NUL
  uint32_t mode = 0;
  uint64_t size = 0;
};

inline constexpr uint32_t kMaxStrings = 4096;
inline constexpr uint32_t kMaxStringsBytes = 2U << 20;

}  // namespace outrigger::jail
