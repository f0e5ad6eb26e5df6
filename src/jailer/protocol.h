#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// What the daemon and its jailer say to each other over a SOCK_SEQPACKET pair: fixed-size plain data and descriptors.
// No byte a caller sent is in it. Both programs are built together, so host layout is the format.
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

// Start: the daemon's parent side sends Begin (with the descriptor of sandbox_init), then `images` times Image (where
// it has templates: with the descriptors of their program and of their launch stream), and gets one Started. From then
// on no image and no ceiling can be changed.
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
  std::uint32_t extra_syscalls = 0;
  std::array<std::int32_t, kMaxExtraSyscalls> extra{};
};

struct Failure {
  std::int32_t errno_value = 0;
  Text<32> step;  // empty: no failure
  Text<256> context;
};

struct StartedReply {
  Failure failure;
  std::uint32_t cgroup_v2 = 0;
  Text<512> cgroup_root;
};

enum class RequestKind : std::uint32_t {
  kBuild = 1,    // answered at once with the descriptors of a jail that is still building itself
  kKill = 2,     // not answered; killing what is dead or unknown is nothing
  kDestroy = 3,  // kills what lives, waits for its end, removes the groups, then answers
  kArm = 4,      // not answered; sets the quota of a jail that was primed under another
};

struct Request {
  RequestKind kind = RequestKind::kKill;
  std::uint32_t sequence = 0;  // comes back in the reply
  std::uint64_t handle = 0;    // kKill, kDestroy
  // kBuild:
  Text<65> job_id;
  std::uint32_t runtime = 0;  // index of the Image sent at the start
  std::uint32_t from_template = 0;
  std::uint32_t warm_up = 0;  // of a template's: see jail/template.h
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
