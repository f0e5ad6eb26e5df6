#include "preload.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

namespace outrigger::guest {
namespace {

Main real_main = nullptr;

int stand_in(int argc, char** argv, char** /*envp*/) { return before_main(real_main, argc, argv); }

}  // namespace

void forget_preload() {
  char* path = ::getenv("LD_PRELOAD");  // NOLINT(concurrency-mt-unsafe): one thread
  if (path == nullptr) return;
  constexpr size_t kName = sizeof "LD_PRELOAD=" - 1;
  ::unsetenv("LD_PRELOAD");  // NOLINT(concurrency-mt-unsafe)
  ::memset(path - kName, 0, kName + ::strlen(path));
}

}  // namespace outrigger::guest

// What the C runtime's start-up code calls with a program's main().
extern "C" [[gnu::visibility("default")]] int __libc_start_main(outrigger::guest::Main main, int argc, char** argv,
                                                                void (*init)(), void (*fini)(), void (*end_loader)(),
                                                                void* stack_end) {
  using Start = decltype(&__libc_start_main);
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  outrigger::guest::real_main = main;
  return start(outrigger::guest::stand_in, argc, argv, init, fini, end_loader, stack_end);
}
