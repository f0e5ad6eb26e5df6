#include "store_sqlite/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <chrono>

#include "wire/time_text.h"

namespace outrigger::store::sqlite {
namespace {

constexpr mode_t kMode = 0600;

bool is_damage(int code) { return code == SQLITE_CORRUPT || code == SQLITE_NOTADB; }

base::Code code_for(int code) {
  switch (code) {
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_RANGE: return base::Code::kInvalid;
    default: return base::Code::kSystem;
  }
}

// Where a new connection finds the same again, keeping the old one spares the work.
bool outlives(int code) { return code_for(code) == base::Code::kInvalid || code == SQLITE_BUSY || code == SQLITE_FULL; }

std::string damage_text(const std::string& name, const char* what) {
  return name + " is damaged (" + what + "): move it, " + name + "-wal and " + name +
         "-shm out of the way, and it is made anew; `sqlite3 FILE .recover` shows what can be saved";
}

int schema_version(Connection& connection) {
  Prepared newest = connection.prepare("SELECT coalesce(max(version), 0) FROM schema_migrations");
  newest.step();
  return static_cast<int>(newest.number_at(0));
}

}  // namespace

Database::Database(int dir_fd, std::string name, Schema schema, Prepare prepare)
    : dir_(::fcntl(dir_fd, F_DUPFD_CLOEXEC, 3)),
      name_(std::move(name)),
      schema_(schema),
      prepare_(std::move(prepare)) {}

base::Result<Connection*> Database::connection(std::string_view step) {
  if (connection_ && !is_still_there()) connection_.reset();
  if (connection_) return connection_.get();
  if (const auto made = make_file(step); !made) return std::unexpected(made.error());
  auto fresh = std::make_unique<Connection>("/proc/self/fd/" + std::to_string(dir_.get()) + "/" + name_, schema_.sync);
  if (const auto migrated = migrate(*fresh); !migrated) return std::unexpected(migrated.error());
  if (prepare_) prepare_(*fresh);
  connection_ = std::move(fresh);
  return connection_.get();
}

// SQLite would make it readable for all. Made without being opened: closing a descriptor of a file drops the locks that
// the process holds on it by others.
base::Status Database::make_file(std::string_view step) const {
  if (!dir_) return base::failure(base::Code::kSystem, step, name_ + ": no descriptor of its directory");
  if (::mknodat(dir_.get(), name_.c_str(), S_IFREG | kMode, 0) != 0 && errno != EEXIST) {
    return base::system_error(step, name_);
  }
  return {};
}

base::Status Database::migrate(Connection& connection) {
  struct stat file{};
  if (::fstatat(dir_.get(), name_.c_str(), &file, AT_SYMLINK_NOFOLLOW) == 0) {
    device_ = file.st_dev;
    inode_ = file.st_ino;
  }
  WriteTransaction transaction(connection);
  connection.run_script(sql::kMakeMigrationTable);
  const auto missing = sql::missing_migrations(schema_.migrations, schema_version(connection), name_);
  if (!missing) return std::unexpected(missing.error());
  for (const sql::Migration& migration : *missing) {
    connection.run_script(migration.sql);
    Prepared note = connection.prepare("INSERT INTO schema_migrations VALUES (?, ?, ?)");
    note.number(migration.version).text(migration.name);
    note.text(std::string_view(wire::time_text(std::chrono::system_clock::now())));
    note.execute();
  }
  transaction.commit();
  return {};
}

// What is written to a file that was moved or deleted would be kept where nobody looks.
bool Database::is_still_there() const {
  struct stat file{};
  return ::fstatat(dir_.get(), name_.c_str(), &file, AT_SYMLINK_NOFOLLOW) == 0 && file.st_dev == device_ &&
         file.st_ino == inode_;
}

base::Error Database::failed(std::string_view step, const SQLite::Exception& exception) {
  const int code = exception.getErrorCode();
  base::Error error{std::string(step), code_for(code), 0, name_ + ": " + exception.what()};
  if (is_damage(code)) error.context = damage_text(name_, exception.what());
  if (code == SQLITE_FULL) error.errno_value = ENOSPC;
  if (code == SQLITE_IOERR || code == SQLITE_CANTOPEN) {
    error.errno_value = connection_ ? ::sqlite3_system_errno(connection_->database().getHandle()) : 0;
  }
  if (!outlives(code)) connection_.reset();
  return error;
}

}  // namespace outrigger::store::sqlite
