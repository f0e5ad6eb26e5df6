#include "store_sql/migration.h"

namespace outrigger::store::sql {

base::Result<std::span<const Migration>> missing_migrations(std::span<const Migration> known, int version,
                                                            std::string_view what) {
  if (version > static_cast<int>(known.size())) {
    return base::failure(base::Code::kConflict, "migrate",
                         std::string(what) + " has a schema of version " + std::to_string(version) +
                             ", and this program knows version " + std::to_string(known.size()) +
                             " and older: run the newer Outrigger that made it, or name another database");
  }
  return known.subspan(version < 0 ? 0 : static_cast<std::size_t>(version));
}

}  // namespace outrigger::store::sql
