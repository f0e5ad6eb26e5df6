#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store_postgres/connection.h"
#include "store_postgres/stores.h"

namespace outrigger::store::postgres {

// One call to a store: its statements share a deadline.
class Call {
 public:
  Call(Connection& connection, std::string_view step, Deadline deadline)
      : connection_(connection), step_(step), deadline_(deadline) {}

  base::Result<Answer> query(const std::string& sql, std::span<const Parameter> parameters = {}) {
    return connection_.query(step_, sql, parameters, deadline_);
  }

 private:
  Connection& connection_;
  std::string step_;
  Deadline deadline_;
};

// A connection that is made when it is needed, to a database whose schema is this program's.
class Database {
 public:
  Database(std::string url, PostgresOptions options)
      : options_(options), connection_(std::move(url), options.deadline) {}

  // The call's time begins now. It must end before the next one begins.
  base::Result<Call> call(std::string_view step);

 private:
  // Whether the schema had to be changed.
  base::Result<bool> bring_up_to_date(std::string_view step, Deadline deadline);
  base::Status migrate(std::string_view step);
  // 0 where there is none.
  base::Result<int> schema_version(std::string_view step, Deadline deadline);

  PostgresOptions options_;
  Connection connection_;
};

}  // namespace outrigger::store::postgres
