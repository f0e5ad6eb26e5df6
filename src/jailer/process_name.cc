#include "jailer/process_name.h"

#include <errno.h>
#include <sys/prctl.h>

#include <cstring>

namespace outrigger::jailer {

void set_process_name(const char* name) {
  ::prctl(PR_SET_NAME, name, 0, 0, 0);
  char* const shown = program_invocation_name;  // argv[0] itself, program_invocation_name(3)
  if (std::strlen(shown) == std::strlen(name)) std::memcpy(shown, name, std::strlen(name));
}

}  // namespace outrigger::jailer
