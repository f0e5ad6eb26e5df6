#pragma once

#include "jail/plan.h"
#include "report.h"

// sandbox_init: pid 1 of a jail.
namespace outrigger::guest {

// supervise.cc: what pid 1 does for the rest of its life: reaps whatever dies, watches the control socket and its own
// alarm, and reports the end of the guest. Returning from main would do the same as its last line: the kernel kills
// all.
struct Watched {
  int guest = -1;  // its own child; -1: the guest is a template's child, whose status comes in on `nurse`
  int nurse = -1;
};
[[noreturn]] void supervise(const Watched& watched);
// Tells the wait status of the guest's main process.
void report_exit(int status);

// collect.cc: the end of a jail whose files are collected. `guest_ended`: its main process has, and that was told.
[[noreturn]] void collect(const Watched& watched, bool guest_ended);
// walk.cc: tells every entry below kWorkDir. Nothing else may live in the jail.
void tell_files();

// build.cc: the plan, as the first message on this socket. No message but its end: whoever would send it gave up before
// it asked for anything, and so does this process.
jail::Plan receive_plan(int socket);
// build.cc: SIGKILL when the parent dies. Cleared by each change of ids, so it is set again after them (prctl(2)).
void die_with_parent();
// build.cc: where an image lies in the jailer's root.
struct ImagePath {
  explicit ImagePath(unsigned image);
  char text[32];
};
// build.cc: every layer of the jail but the filter: from control groups to no_new_privs. The root is made of the image
// at `source`, put together at `target`.
void build_jail(const jail::Plan& plan, const char* source, const char* target);

// guest.cc: what pid 2 does: seals itself, reads its program from the launch socket, and becomes it.
[[noreturn]] void become_guest(const jail::Plan& plan);

// The three modes (jail/plan.h).
[[noreturn]] void run_jail();      // main.cc
[[noreturn]] void run_nursed();    // nursed.cc
[[noreturn]] void run_template();  // template.cc

}  // namespace outrigger::guest
