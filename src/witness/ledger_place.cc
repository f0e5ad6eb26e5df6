#include "witness/ledger_place.h"

#include <fcntl.h>

#include <filesystem>

#include "sys/small_file.h"

namespace outrigger::witness {
namespace {

constexpr const char* kDirectory = "ledger";

}  // namespace

base::Result<base::UniqueFd> make_ledger_dir(const config::Paths& paths) {
  const std::filesystem::path place = paths.lib_dir / kDirectory;
  std::error_code error;
  std::filesystem::create_directories(place, error);
  if (error) return base::system_error("make_ledger_dir", place.string(), error.value());
  using std::filesystem::perms;
  const perms own_and_group_reads = perms::owner_all | perms::group_read | perms::group_exec;
  std::filesystem::permissions(place, own_and_group_reads, error);
  if (error) return base::system_error("make_ledger_dir", place.string(), error.value());
  return sys::open_at(AT_FDCWD, place.c_str(), O_RDONLY | O_DIRECTORY);
}

base::Result<base::UniqueFd> open_ledger_dir(const config::Paths& paths) {
  const std::filesystem::path place = paths.lib_dir / kDirectory;
  auto dir = sys::open_at(AT_FDCWD, place.c_str(), O_RDONLY | O_DIRECTORY);
  if (!dir && dir.error().errno_value == ENOENT) {
    return base::failure(base::Code::kNotFound, "open_ledger",
                         place.string() +
                             " is not there: `crows-nest watch` keeps the ledgers, and has not run yet "
                             "with this state directory");
  }
  return dir;
}

}  // namespace outrigger::witness
