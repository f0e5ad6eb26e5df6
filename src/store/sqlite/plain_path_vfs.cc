#include "store_sqlite/plain_path_vfs.h"

#include <sqlite3.h>

#include <cstring>

namespace outrigger::store::sqlite {
namespace {

constexpr char kName[] = "outrigger-plain-path";

int keep_path(sqlite3_vfs*, const char* path, int size, char* out) {
  const std::size_t length = std::strlen(path) + 1;
  if (size < 0 || length > static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
  std::memcpy(out, path, length);
  return SQLITE_OK;
}

// Everything else of SQLite's VFS works on the path it is given, and opens the last component without following it.
bool add_vfs() {
  const sqlite3_vfs* standard = ::sqlite3_vfs_find(nullptr);
  if (standard == nullptr) return false;
  static sqlite3_vfs vfs = *standard;
  vfs.zName = kName;
  vfs.pNext = nullptr;
  vfs.xFullPathname = keep_path;
  return ::sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
}

}  // namespace

// Where it could not be added, opening by its name fails and says so.
const char* plain_path_vfs() {
  [[maybe_unused]] static const bool kAdded = add_vfs();
  return kName;
}

}  // namespace outrigger::store::sqlite
