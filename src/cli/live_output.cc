#include "cli/live_output.h"

#include <unistd.h>

#include "cli/print.h"

namespace outrigger::cli {

bool LiveOutput::write(run::Stream stream, std::string_view bytes) {
  if (stream == run::Stream::kStderr) {
    told_.stderr_bytes += bytes.size();
    write_all(STDERR_FILENO, bytes);  // as with any program: what nobody hears of its complaints does not stop it
    return true;
  }
  told_.stdout_bytes += bytes.size();
  return write_all(STDOUT_FILENO, bytes);
}

}  // namespace outrigger::cli
