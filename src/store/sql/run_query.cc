#include "store_sql/run_query.h"

#include <algorithm>

#include "wire/time_text.h"

namespace outrigger::store::sql {
namespace {

// What both databases still read as an integer.
constexpr std::size_t kLargestLimit = 1'000'000'000;

class Conditions {
 public:
  explicit Conditions(Statement& statement) : statement_(statement) {}

  // "$3" for the third.
  std::string parameter(std::string value) {
    statement_.parameters.push_back(std::move(value));
    return "$" + std::to_string(statement_.parameters.size());
  }
  void add(std::string_view left, std::string value) { add_text(std::string(left) + parameter(std::move(value))); }
  void add_text(const std::string& condition) {
    statement_.text += any_ ? " AND " : " WHERE ";
    statement_.text += condition;
    any_ = true;
  }

 private:
  Statement& statement_;
  bool any_ = false;
};

}  // namespace

Statement list_runs(std::string_view columns, const RunQuery& query) {
  Statement statement;
  statement.text = "SELECT " + std::string(columns) + " FROM execution_runs";
  Conditions where(statement);
  if (query.tenant_id) where.add("tenant_id = ", *query.tenant_id);
  if (query.language) where.add("language = ", *query.language);
  if (query.status) where.add("status = ", std::string(model::status_name(*query.status)));
  if (query.since) where.add("started_at >= ", wire::time_text(*query.since));
  if (query.until) where.add("started_at < ", wire::time_text(*query.until));
  if (query.before) {
    const std::string time = where.parameter(wire::time_text(query.before->started_at));
    where.add_text("(started_at, job_id) < (" + time + ", " + where.parameter(query.before->job_id) + ")");
  }
  statement.text += " ORDER BY started_at DESC, job_id DESC LIMIT ";
  statement.text += where.parameter(std::to_string(std::min(query.limit, kLargestLimit)));
  return statement;
}

}  // namespace outrigger::store::sql
