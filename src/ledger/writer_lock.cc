#include "ledger/writer_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "sys/small_file.h"

namespace outrigger::ledger {
namespace {

constexpr std::string_view kStep = "ledger_lock";
constexpr unsigned kMode = 0640;

std::unexpected<base::Error> held_by_another(int dir, std::string_view name, const std::string& file) {
  std::string pid = sys::read_file_at(dir, file.c_str()).value_or("");
  while (pid.ends_with('\n')) pid.pop_back();
  const bool is_number = !pid.empty() && std::ranges::all_of(pid, [](char c) { return c >= '0' && c <= '9'; });
  return base::failure(base::Code::kConflict, kStep,
                       "the ledger \"" + std::string(name) + "\" is being written by " +
                           (is_number ? "process " + pid : std::string("another process")) +
                           "; it can have one writer");
}

}  // namespace

base::Result<base::UniqueFd> lock_for_writing(int dir, std::string_view name) {
  const std::string file = std::string(name) + ".lock";
  auto fd = sys::open_at(dir, file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, kMode);
  if (!fd) return base::system_error(kStep, file, fd.error().errno_value);
  int locked = -1;
  do {
    locked = ::flock(fd->get(), LOCK_EX | LOCK_NB);
  } while (locked != 0 && errno == EINTR);
  if (locked != 0 && errno == EWOULDBLOCK) return held_by_another(dir, name, file);
  if (locked != 0) return base::system_error(kStep, file);
  // The pid is for people to read; a disk too full for it is no reason not to write.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd->get(), 0) == 0) static_cast<void>(::pwrite(fd->get(), pid.data(), pid.size(), 0));
  return fd;
}

}  // namespace outrigger::ledger
