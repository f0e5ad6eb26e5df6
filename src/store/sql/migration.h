#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace outrigger::store::sql {

// One step of a schema, from migrations/<set>/<version>_<name>.sql.
struct Migration {
  int version = 0;
  std::string_view name;
  const char* sql = "";  // any number of statements
};

// In order, numbered from 1 without a gap. Part of the program.
std::span<const Migration> sqlite_migrations();    // the audit trail's file
std::span<const Migration> queue_migrations();     // the queue's file
std::span<const Migration> postgres_migrations();  // all that we keep in PostgreSQL

inline constexpr const char* kMakeMigrationTable =
    "CREATE TABLE IF NOT EXISTS schema_migrations "
    "(version integer PRIMARY KEY, name text NOT NULL, applied_at text NOT NULL)";

// Those a database at `version` lacks. kConflict where it is newer than this program; `what` names it.
base::Result<std::span<const Migration>> missing_migrations(std::span<const Migration> known, int version,
                                                            std::string_view what);

}  // namespace outrigger::store::sql
