#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace outrigger::store::sqlite {

// A statement on loan: bound from left to right, and at the end reset, since one that stands on a row would keep the
// database from being tidied. Everything here throws SQLite::Exception; Database::run() catches.
class Prepared {
 public:
  explicit Prepared(SQLite::Statement& statement) : statement_(statement) {}
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared();

  // Strings and blobs are not copied: they live as long as this does.
  Prepared& text(const std::string& value);
  Prepared& text(std::string&&) = delete;
  Prepared& text(std::string_view value);  // copied
  Prepared& blob(std::string_view value);
  Prepared& number(std::int64_t value);
  Prepared& null();

  bool step() { return statement_.executeStep(); }
  // To the end; how many rows it has changed.
  std::size_t execute() { return static_cast<std::size_t>(statement_.exec()); }
  // Ready to be bound and run again.
  void again();

  [[nodiscard]] std::string text_at(int column) { return statement_.getColumn(column).getString(); }
  [[nodiscard]] std::int64_t number_at(int column) { return statement_.getColumn(column).getInt64(); }
  [[nodiscard]] bool is_null_at(int column) { return statement_.getColumn(column).isNull(); }

 private:
  SQLite::Statement& statement_;
  int next_ = 1;
};

// One open database file and the statements that have been prepared on it.
class Connection {
 public:
  // Opens and prepares for concurrent writers: WAL, waiting for locks. `sync` is the value of PRAGMA synchronous.
  Connection(const std::string& path, std::string_view sync);

  // Prepared once; loans of one statement must not overlap.
  Prepared prepare(const std::string& sql);
  void run_script(const char* sql) { database_.exec(sql); }
  [[nodiscard]] SQLite::Database& database() { return database_; }

 private:
  void switch_to_wal();

  SQLite::Database database_;
  std::map<std::string, std::unique_ptr<SQLite::Statement>, std::less<>> statements_;
};

// Takes the write lock at once, and rolls back unless commit() is reached.
class WriteTransaction {
 public:
  explicit WriteTransaction(Connection& connection)
      : transaction_(connection.database(), SQLite::TransactionBehavior::IMMEDIATE) {}
  void commit() { transaction_.commit(); }

 private:
  SQLite::Transaction transaction_;
};

}  // namespace outrigger::store::sqlite
