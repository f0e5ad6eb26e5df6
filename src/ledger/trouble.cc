#include "ledger/trouble.h"

#include <cerrno>

namespace outrigger::ledger {
namespace {

std::string_view advice(int errno_value) {
  switch (errno_value) {
    case ENOSPC: return "free space on its file system";
    case EDQUOT: return "raise the disk quota of its owner, or free space";
    case EFBIG: return "lift the limit on the size of files (RLIMIT_FSIZE)";
    case EROFS: return "its file system is read-only: see the kernel's log for why, then mount it for writing";
    case EIO: return "the disk reports errors: see the kernel's log, and replace it if they go on";
    case EACCES:
    case EPERM: return "let this process write to its directory and files";
    case EEXIST: return "move the file that stands in the way elsewhere";
    default: return "look after its file system";
  }
}

}  // namespace

std::string trouble_sentence(std::string_view ledger, const base::Error& error, std::size_t waiting) {
  return "The ledger \"" + std::string(ledger) + "\" can't be written (" + error.text() + "); " +
         std::to_string(waiting) + (waiting == 1 ? " line waits" : " lines wait") + " in memory and will be written " +
         "as soon as it can. To do: " + std::string(advice(error.errno_value)) + ".";
}

}  // namespace outrigger::ledger
