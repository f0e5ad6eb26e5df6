#include "store_postgres/database.h"

#include <charconv>

#include "store_sql/migration.h"
#include "wire/time_text.h"

namespace outrigger::store::postgres {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view kSubject = "the PostgreSQL database";
// A number that nobody else uses: the bytes of "outrigge".
constexpr std::string_view kMigrationLock = "8031453545228625765";

}  // namespace

base::Result<Call> Database::call(std::string_view step) {
  Deadline deadline = steady_clock::now() + options_.deadline;
  if (!connection_.is_open()) {
    if (const auto opened = connection_.open(step, deadline); !opened) return std::unexpected(opened.error());
    const auto changed = bring_up_to_date(step, deadline);
    if (!changed) {
      connection_.close();
      return std::unexpected(changed.error());
    }
    if (*changed) deadline = steady_clock::now() + options_.deadline;
  }
  return Call(connection_, step, deadline);
}

// Where nothing is missing, nothing is locked and no right to change the schema is needed.
base::Result<bool> Database::bring_up_to_date(std::string_view step, Deadline deadline) {
  const auto version = schema_version(step, deadline);
  if (!version) return std::unexpected(version.error());
  const auto missing = sql::missing_migrations(sql::postgres_migrations(), *version, kSubject);
  if (!missing) return std::unexpected(missing.error());
  if (missing->empty()) return false;
  if (const auto migrated = migrate(step); !migrated) return std::unexpected(migrated.error());
  return true;
}

base::Result<int> Database::schema_version(std::string_view step, Deadline deadline) {
  const auto table = connection_.query(step, "SELECT to_regclass('schema_migrations')", {}, deadline);
  if (!table) return std::unexpected(table.error());
  if (!table->text_at(0, 0)) return 0;
  const auto newest = connection_.query(step, "SELECT coalesce(max(version), 0) FROM schema_migrations", {}, deadline);
  if (!newest) return std::unexpected(newest.error());
  const std::string text = newest->text_at(0, 0).value_or("0");
  int version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

// In one transaction, under a lock that every Outrigger takes before it looks what is missing. A failure leaves the
// transaction open: the caller drops the connection.
base::Status Database::migrate(std::string_view step) {
  const Deadline deadline = steady_clock::now() + options_.migration_deadline;
  const auto run = [&](const std::string& sql) { return connection_.script(step, sql, deadline); };
  const std::string patience = std::to_string(options_.migration_deadline.count());
  if (auto begun = run("BEGIN; SET LOCAL statement_timeout = " + patience); !begun) return begun;
  if (auto locked = run("SELECT pg_advisory_xact_lock(" + std::string(kMigrationLock) + ")"); !locked) return locked;
  if (auto made = run(sql::kMakeMigrationTable); !made) return made;
  const auto version = schema_version(step, deadline);
  if (!version) return std::unexpected(version.error());
  const auto missing = sql::missing_migrations(sql::postgres_migrations(), *version, kSubject);
  if (!missing) return std::unexpected(missing.error());
  for (const sql::Migration& migration : *missing) {
    if (auto applied = run(migration.sql); !applied) return applied;
    const std::vector<Parameter> values{{std::to_string(migration.version)},
                                        {std::string(migration.name)},
                                        {wire::time_text(std::chrono::system_clock::now())}};
    const auto noted = connection_.query(step, "INSERT INTO schema_migrations VALUES ($1, $2, $3)", values, deadline);
    if (!noted) return std::unexpected(noted.error());
  }
  return run("COMMIT");
}

}  // namespace outrigger::store::postgres
