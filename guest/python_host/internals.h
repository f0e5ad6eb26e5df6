#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// What takes the interpreter's internal structures to do.

// In a forked guest, in place of PyOS_AfterFork_Child(). That makes anew what other threads may have held when the
// process was copied; a template has no other thread, so of what it does only this is left: the functions that modules
// have registered for a fork, but for those of `threading` and `logging`, which do the same for locks of theirs and
// cost a tenth of a job. `random` draws a new state in its own.
void outrigger_after_fork(void);

// In the template: collects, and has the collector leave alone what is there, so that a fork's collections write to
// none of its pages. False with an exception set.
bool outrigger_freeze_objects(void);

// In the template, after that: from now on the interpreter's finalisation ends early where nobody can tell the
// difference (internals.c). False where this interpreter's code can't be changed, or is not the one it was written for:
// then it finalises as ever.
bool outrigger_finalize_quickly(void);

// Whether it has. Then what libc and libraries would do at the end is left to the kernel too.
bool outrigger_ended_quickly(void);

#ifdef __cplusplus
}
#endif
