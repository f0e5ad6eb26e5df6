#include "store_sqlite/connection.h"

#include <sqlite3.h>

#include <chrono>
#include <thread>

#include "store_sqlite/plain_path_vfs.h"

namespace outrigger::store::sqlite {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience = 5s;  // for others' locks
constexpr auto kRetryPause = 10ms;

}  // namespace

Prepared::~Prepared() {
  // The result is the last step's, which has been told already.
  static_cast<void>(statement_.tryReset());
  statement_.clearBindings();
}

Prepared& Prepared::text(const std::string& value) {
  statement_.bindNoCopy(next_++, value);
  return *this;
}

Prepared& Prepared::text(std::string_view value) {
  statement_.bind(next_++, std::string(value));
  return *this;
}

Prepared& Prepared::blob(std::string_view value) {
  // An empty view may have no address, which SQLite would take for NULL.
  statement_.bindNoCopy(next_++, value.empty() ? "" : value.data(), static_cast<int>(value.size()));
  return *this;
}

Prepared& Prepared::number(std::int64_t value) {
  statement_.bind(next_++, value);
  return *this;
}

Prepared& Prepared::null() {
  statement_.bind(next_++);
  return *this;
}

void Prepared::again() {
  statement_.reset();
  next_ = 1;
}

Connection::Connection(const std::string& path, std::string_view sync)
    : database_(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, static_cast<int>(kPatience.count()),
                plain_path_vfs()) {
  switch_to_wal();
  database_.exec("PRAGMA synchronous = " + std::string(sync));
  // No files outside the directory we were given; and a WAL that was large once does not stay so.
  database_.exec("PRAGMA temp_store = MEMORY");
  database_.exec("PRAGMA journal_size_limit = 67108864");
  // Pages are in the kernel's cache as well, and a daemon has half a dozen connections: KiB each.
  database_.exec("PRAGMA cache_size = -256");
}

// SQLite does not wait for a lock here, since a waiting reader could be the one that is waited for.
void Connection::switch_to_wal() {
  const auto deadline = steady_clock::now() + kPatience;
  while (true) {
    try {
      if (database_.execAndGet("PRAGMA journal_mode = WAL").getString() == "wal") return;
      throw SQLite::Exception("the file system does not let SQLite keep a write-ahead log", SQLITE_CANTOPEN);
    } catch (const SQLite::Exception& refused) {
      const bool busy = refused.getErrorCode() == SQLITE_BUSY || refused.getErrorCode() == SQLITE_LOCKED;
      if (!busy || steady_clock::now() > deadline) throw;
    }
    std::this_thread::sleep_for(kRetryPause);
  }
}

Prepared Connection::prepare(const std::string& sql) {
  auto& statement = statements_[sql];
  if (!statement) statement = std::make_unique<SQLite::Statement>(database_, sql);
  return Prepared(*statement);
}

}  // namespace outrigger::store::sqlite
