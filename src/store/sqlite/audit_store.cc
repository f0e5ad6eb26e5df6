#include <chrono>

#include "store_sql/run_query.h"
#include "store_sql/run_row.h"
#include "store_sqlite/database.h"
#include "store_sqlite/stores.h"
#include "wire/time_text.h"

namespace outrigger::store {
namespace {

using sqlite::Connection;
using sqlite::Prepared;
using std::chrono::system_clock;

std::string insert_statement() {
  std::string places;
  for (std::size_t i = 0; i < sql::kRunColumns.size(); ++i) places += "?, ";
  return "INSERT INTO execution_runs (" + sql::run_column_names() + ", recorded_at) VALUES (" + places +
         "?) ON CONFLICT (job_id) DO NOTHING";
}

base::Result<std::vector<sql::RunRow>> rows_of(std::span<const model::RunRecord> records) {
  std::vector<sql::RunRow> rows;
  rows.reserve(records.size());
  for (const model::RunRecord& record : records) {
    auto row = sql::row_of(record);
    if (!row) return std::unexpected(row.error());
    rows.push_back(*std::move(row));
  }
  return rows;
}

sql::RunRow row_at(Prepared& statement) {
  sql::RunRow row;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int column = static_cast<int>(i);
    if (!statement.is_null_at(column)) row[i] = statement.text_at(column);
  }
  return row;
}

base::Result<std::vector<model::RunRecord>> records_of(std::span<const sql::RunRow> rows) {
  std::vector<model::RunRecord> records;
  records.reserve(rows.size());
  for (const sql::RunRow& row : rows) {
    auto record = sql::record_of(row);
    if (!record) return std::unexpected(record.error());
    records.push_back(*std::move(record));
  }
  return records;
}

class SqliteAuditStore final : public AuditStore {
 public:
  SqliteAuditStore(int dir_fd, std::string name) : database_(dir_fd, std::move(name), sqlite::audit_schema()) {}

  base::Status open() override {
    return database_.run("audit_open", [](Connection&) {});
  }

  base::Status insert(std::span<const model::RunRecord> records) override {
    const auto rows = rows_of(records);
    if (!rows) return std::unexpected(rows.error());
    const std::string now = wire::time_text(system_clock::now());
    return database_.run("audit_insert", [&](Connection& connection) {
      sqlite::WriteTransaction transaction(connection);
      Prepared insert = connection.prepare(insert_);
      for (const sql::RunRow& row : *rows) {
        for (const auto& value : row) value ? insert.text(*value) : insert.null();
        insert.text(now).execute();
        insert.again();
      }
      transaction.commit();
    });
  }

  base::Result<std::vector<model::RunRecord>> list(const RunQuery& query) override {
    return select("audit_list", sql::list_runs(columns_, query));
  }

  base::Result<std::optional<model::RunRecord>> find(const std::string& job_id) override {
    auto found = select("audit_find", {"SELECT " + columns_ + " FROM execution_runs WHERE job_id = $1", {job_id}});
    if (!found) return std::unexpected(found.error());
    if (found->empty()) return std::nullopt;
    return std::move(found->front());
  }

  base::Result<std::size_t> remove_ended_before(system_clock::time_point time, std::size_t at_most) override {
    const std::string before = wire::time_text(time);
    return database_.run("audit_remove", [&](Connection& connection) {
      Prepared remove = connection.prepare(
          "DELETE FROM execution_runs WHERE job_id IN "
          "(SELECT job_id FROM execution_runs WHERE ended_at < ? ORDER BY ended_at LIMIT ?)");
      return remove.text(before).number(static_cast<std::int64_t>(at_most)).execute();
    });
  }

 private:
  base::Result<std::vector<model::RunRecord>> select(std::string_view step, const sql::Statement& statement) {
    const auto rows = database_.run(step, [&](Connection& connection) {
      Prepared query = connection.prepare(statement.text);
      for (const std::string& parameter : statement.parameters) query.text(parameter);
      std::vector<sql::RunRow> found;
      while (query.step()) found.push_back(row_at(query));
      return found;
    });
    if (!rows) return std::unexpected(rows.error());
    return records_of(*rows);
  }

  sqlite::Database database_;
  std::string columns_ = sql::run_column_names();
  std::string insert_ = insert_statement();
};

}  // namespace

std::unique_ptr<AuditStore> make_sqlite_audit_store(int dir_fd, std::string name) {
  return std::make_unique<SqliteAuditStore>(dir_fd, std::move(name));
}

}  // namespace outrigger::store
