#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// From now on the interpreter's finalisation ends early where nobody can tell the difference (finalize.c).
void outrigger_finalize_quickly(void);

#ifdef __cplusplus
}
#endif
