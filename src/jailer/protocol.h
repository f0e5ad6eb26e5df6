#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// What the daemon, its keeper and its jailers say to each other over SOCK_SEQPACKET pairs: fixed-size plain data and
// descriptors. No byte a caller sent is in it. Both programs are built together, so host layout is the format.
namespace outrigger::jailer {

// A short text in a message: always terminated, cut where it would not fit.
template <std::size_t kSize>
struct Text {
  std::array<char, kSize> bytes{};

  void set(std::string_view text) {
    bytes.fill('\0');
    std::memcpy(bytes.data(), text.data(), text.size() < kSize ? text.size() : kSize - 1);
  }
  // Never reads past the end, whatever the peer wrote.
  [[nodiscard]] std::string str() const { return {bytes.data(), ::strnlen(bytes.data(), kSize)}; }
};

inline constexpr std::size_t kMaxExtraSyscalls = 64;
inline constexpr std::uint32_t kMaxImages = 64;

// Start: the daemon sends Begin to the keeper (with the descriptor of sandbox_init), then `images` times Image (where
// it has templates: with the descriptors of their program and of their launch stream), and gets an Announcement. From
// then on no image and no ceiling can be changed, and the keeper reads nothing any more.
struct Begin {
  std::uint32_t uid_base = 0;
  std::uint32_t slots = 0;
  std::uint32_t images = 0;
  std::uint64_t max_memory_bytes = 0;
  std::uint64_t max_tmpfs_bytes = 0;
  std::uint64_t max_cpu_quota_micros = 0;
  std::uint32_t max_pids = 0;
  Text<512> cgroup_root;
};

// One runtime: its tree, its filter, its templates.
struct Image {
  Text<1024> path;
  std::uint32_t template_jails = 0;  // a template is replaced after so many; 0: the runtime has none
  std::uint32_t template_seconds = 0;
  std::uint32_t refuses_sockets = 0;  // jail::SocketRule::kRefused
  std::uint32_t extra_syscalls = 0;
  std::array<std::int32_t, kMaxExtraSyscalls> extra{};
};

struct Failure {
  std::int32_t errno_value = 0;
  Text<32> step;  // empty: no failure
  Text<256> context;
};

// Keeper to daemon, and all it ever says: a jailer serves (with the descriptors of kAnnounced), or none could be had
// yet. After the first jailer each further one means that the one before has died and nothing of its jails is left.
struct Announcement {
  Failure failure;                    // why none; then only the next two have a meaning
  std::uint32_t failed_in_a_row = 0;  // jailers that died at once or could not start
  std::uint32_t pause_ms = 0;         // until the next try
  std::uint32_t generation = 0;       // its number among the keeper's, from 1 on
  std::int32_t pid = 0;
  std::uint32_t cgroup_v2 = 0;
  Text<512> cgroup_root;
};
enum AnnouncedFd : std::uint32_t { kJailerSocket, kJailerPidfd, kAnnouncedFds };

// A jail's handle says which jailer made it: what is asked of a jail that died with an earlier one concerns nobody.
inline constexpr unsigned kGenerationShift = 48;
constexpr std::uint64_t first_handle(std::uint32_t generation) {
  return (static_cast<std::uint64_t>(generation) << kGenerationShift) + 1;
}
constexpr bool is_of_generation(std::uint64_t handle, std::uint32_t generation) {
  return handle >> kGenerationShift == first_handle(generation) >> kGenerationShift;
}

enum class RequestKind : std::uint32_t {
  kBuild = 1,    // answered at once with the descriptors of a jail that is still building itself
  kKill = 2,     // not answered; killing what is dead or unknown is nothing
  kDestroy = 3,  // kills what lives, waits for its end, removes the groups, then answers
  kArm = 4,      // not answered; sets another quota: of a jail that was primed, or that ends and has files to tell
};

struct Request {
  RequestKind kind = RequestKind::kKill;
  std::uint32_t sequence = 0;  // comes back in the reply
  std::uint64_t handle = 0;    // kKill, kDestroy
  // kBuild:
  Text<65> job_id;
  std::uint32_t runtime = 0;  // index of the Image sent at the start
  std::uint32_t from_template = 0;
  std::uint32_t terminal = 0;  // jail::Plan::terminal; not of a template's
  std::uint32_t warm_up = 0;   // of a template's: see jail/template.h
  std::uint32_t pids = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t tmpfs_bytes = 0;
  std::uint64_t cpu_quota_micros = 0;  // kArm too
};

struct Reply {
  RequestKind kind = RequestKind::kKill;
  std::uint32_t sequence = 0;
  Failure failure;
  std::uint64_t handle = 0;  // kBuild
};

// The descriptors of a built jail, in this order; the group's directories follow (one on v2, four on v1).
enum JailFd : std::uint32_t { kControl, kLaunch, kStdin, kStdout, kStderr, kPidfd, kFirstGroupDir };

// Files and directories a job may make in its scratch: one inode per 4 KiB, and at least as many as a request may bring
// (2048) and as many again.
inline constexpr std::uint64_t kBytesPerInode = 4096;
inline constexpr std::uint64_t kMinInodes = 4096;
// /dev/shm is as large as the scratch; both count towards the memory limit.

}  // namespace outrigger::jailer
