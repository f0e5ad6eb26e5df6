#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/audit_store.h"

namespace outrigger::store::sql {

// A statement that SQLite and PostgreSQL both understand, its parameters $1, $2, … in order and as text.
struct Statement {
  std::string text;
  std::vector<std::string> parameters;
};

// `columns` is what stands between SELECT and FROM. There are few different texts, so they may be kept prepared.
Statement list_runs(std::string_view columns, const RunQuery& query);

}  // namespace outrigger::store::sql
