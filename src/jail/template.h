#pragma once

#include <stdint.h>

#include "jail/plan.h"

// A template is a process that has started an interpreter once and forks it into one jail after another. It lives in
// namespaces of its own, as root of a user namespace that holds the host ids of jails and nothing else, and never reads
// a byte of a caller's: only the forked process does, after it was sealed.
//
//   jailer ──TemplateRequest──> template ──clones──> sandbox_init (kNursedMode), pid 1 of the new jail, builds it
//                                  │                      │ "built"
//                                  └──forks into its pid namespace──> guest, pid 2: enters, seals itself, says "ready"
//
// A process is reaped by its parent only: so the template waits for the guest, and tells pid 1, which reports.
namespace outrigger::jail {

// sandbox_init in kTemplateMode finds stderr for its log, the jailer's socket as kControlFd, the launch stream
// (command, environment and files of the template) as kLaunchFd, the filter as kFilterFd, and:
inline constexpr int kHostLibraryFd = 6;     // has the loader make the program it becomes a template
inline constexpr int kInitProgramFd = 7;     // sandbox_init, for the jails to come
inline constexpr int kTemplateCgroupFd = 8;  // v1: the first of the template's own `tasks` files

// In kNursedMode kLaunchFd is a socket to the template: the plan comes in there, one Report goes out when the jail
// stands, and then the guest's wait status comes in as an int32_t when it has ended.

// Host ids of jails inside the template's user namespace: the n-th of those it holds is kFirstJailId + n.
inline constexpr uint32_t kFirstJailId = 1000;

// A pristine copy of the image in the template's file system, from which its jails make their root.
inline constexpr char kPristineImage[] = "/mnt";
// What to import, a line each, laid by the launch stream.
inline constexpr char kImportsFile[] = "/tmp/imports";

// Jailer to template, over a SOCK_SEQPACKET pair. Descriptors: those that the guest finds as kStdinFd to kLaunchFd, in
// that order; then on v1 the group's `tasks` files, on v2 its directory.
inline constexpr unsigned kRequestGroupFds = kLaunchFd + 1;  // the first of the group's

struct TemplateRequest {
  uint32_t sequence = 0;  // comes back in the reply
  uint32_t first_id = 0;  // of the jail's pair of ids, as the template's namespace numbers them
  uint32_t cgroup_v2 = 0;
  uint32_t warm_up = 0;  // there is time to make the guest quicker before its program comes
  Plan plan;
};

// Template to jailer: that it is ready (sequence 0), or what became of a request. With a jail comes one descriptor: the
// pidfd of its pid 1. How the jail fares further is told over its own control socket.
struct TemplateReply {
  uint32_t sequence = 0;
  Step step = Step::kNone;  // kNone: done
  int32_t errno_value = 0;
};

}  // namespace outrigger::jail
