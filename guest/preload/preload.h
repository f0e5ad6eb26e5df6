#pragma once

// What libraries that the dynamic linker loads into a program (LD_PRELOAD) to stand before its main() have in common.
namespace outrigger::guest {

using Main = int (*)(int argc, char** argv, char** envp);

// Defined by the library, and called where the C runtime's start-up code would call main(), which is `real`.
int before_main(Main real, int argc, char** argv);

// Takes LD_PRELOAD out of the environment, and out of the memory that /proc/self/environ shows.
void forget_preload();

}  // namespace outrigger::guest
