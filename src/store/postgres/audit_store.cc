#include "store_postgres/array_text.h"
#include "store_postgres/database.h"
#include "store_sql/run_query.h"
#include "store_sql/run_row.h"
#include "wire/time_text.h"

namespace outrigger::store {
namespace {

using postgres::Answer;
using postgres::Parameter;
using sql::kRunColumns;

// One parameter a column, each an array of that column's values.
std::string insert_statement() {
  std::string arrays;
  for (std::size_t i = 0; i < kRunColumns.size(); ++i) {
    if (i > 0) arrays += ", ";
    arrays += "$" + std::to_string(i + 1) + "::" + std::string(kRunColumns[i].type) + "[]";
  }
  return "INSERT INTO execution_runs (" + sql::run_column_names() + ") SELECT * FROM unnest(" + arrays +
         ") ON CONFLICT (job_id) DO NOTHING";
}

// Times as wire::time_text writes them, whatever the session's time zone and style.
std::string selected_columns() {
  std::string columns;
  for (const auto& column : kRunColumns) {
    if (!columns.empty()) columns += ", ";
    const std::string name(column.name);
    columns += column.type == "timestamptz"
                   ? "to_char(" + name + R"( AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))"
                   : name;
  }
  return columns;
}

base::Result<std::vector<Parameter>> columns_of(std::span<const model::RunRecord> records) {
  std::array<postgres::ArrayText, kRunColumns.size()> arrays;
  for (const model::RunRecord& record : records) {
    const auto row = sql::row_of(record);
    if (!row) return std::unexpected(row.error());
    for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i].add((*row)[i]);
  }
  std::vector<Parameter> parameters;
  parameters.reserve(arrays.size());
  for (auto& array : arrays) parameters.push_back({array.take()});
  return parameters;
}

base::Result<std::vector<model::RunRecord>> records_of(const Answer& answer) {
  std::vector<model::RunRecord> records;
  for (std::size_t i = 0; i < answer.rows(); ++i) {
    sql::RunRow row;
    for (std::size_t column = 0; column < row.size(); ++column) row[column] = answer.text_at(i, column);
    auto record = sql::record_of(row);
    if (!record) return std::unexpected(record.error());
    records.push_back(*std::move(record));
  }
  return records;
}

class PostgresAuditStore final : public AuditStore {
 public:
  PostgresAuditStore(std::string url, PostgresOptions options) : database_(std::move(url), options) {}

  base::Status open() override {
    const auto call = database_.call("audit_open");
    if (!call) return std::unexpected(call.error());
    return {};
  }

  base::Status insert(std::span<const model::RunRecord> records) override {
    const auto columns = columns_of(records);
    if (!columns) return std::unexpected(columns.error());
    const auto inserted = query("audit_insert", insert_, *columns);
    if (!inserted) return std::unexpected(inserted.error());
    return {};
  }

  base::Result<std::vector<model::RunRecord>> list(const RunQuery& wanted) override {
    const auto statement = sql::list_runs(columns_, wanted);
    std::vector<Parameter> parameters;
    parameters.reserve(statement.parameters.size());
    for (const std::string& parameter : statement.parameters) parameters.push_back({parameter});
    const auto answer = query("audit_list", statement.text, parameters);
    if (!answer) return std::unexpected(answer.error());
    return records_of(*answer);
  }

  base::Result<std::optional<model::RunRecord>> find(const std::string& job_id) override {
    const std::vector<Parameter> parameters{{job_id}};
    const auto answer =
        query("audit_find", "SELECT " + columns_ + " FROM execution_runs WHERE job_id = $1", parameters);
    if (!answer) return std::unexpected(answer.error());
    auto records = records_of(*answer);
    if (!records) return std::unexpected(records.error());
    if (records->empty()) return std::nullopt;
    return std::move(records->front());
  }

  base::Result<std::size_t> remove_ended_before(std::chrono::system_clock::time_point time,
                                                std::size_t at_most) override {
    const std::vector<Parameter> parameters{{wire::time_text(time)}, {std::to_string(at_most)}};
    const auto answer = query("audit_remove",
                              "DELETE FROM execution_runs WHERE job_id IN "
                              "(SELECT job_id FROM execution_runs WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)",
                              parameters);
    if (!answer) return std::unexpected(answer.error());
    return answer->affected();
  }

 private:
  base::Result<Answer> query(std::string_view step, const std::string& sql, std::span<const Parameter> parameters) {
    auto call = database_.call(step);
    if (!call) return std::unexpected(call.error());
    return call->query(sql, parameters);
  }

  postgres::Database database_;
  std::string columns_ = selected_columns();
  std::string insert_ = insert_statement();
};

}  // namespace

std::unique_ptr<AuditStore> make_postgres_audit_store(std::string url, PostgresOptions options) {
  return std::make_unique<PostgresAuditStore>(std::move(url), options);
}

}  // namespace outrigger::store
