#include "store_sql/run_row.h"

#include "base/utf8.h"

namespace outrigger::store::sql {

std::unexpected<base::Error> row_refusal(std::string_view job_id, std::size_t column, std::string_view what) {
  return base::failure(
      base::Code::kInvalid, "execution_runs",
      base::to_utf8(job_id) + ": " + std::string(kRunColumns.at(column).name) + " " + std::string(what));
}

std::string run_column_names() {
  std::string names;
  for (const Column& column : kRunColumns) {
    if (!names.empty()) names += ", ";
    names += column.name;
  }
  return names;
}

}  // namespace outrigger::store::sql
