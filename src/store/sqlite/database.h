#pragma once

#include <sys/types.h>

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "base/unique_fd.h"
#include "store_sql/migration.h"
#include "store_sqlite/connection.h"

namespace outrigger::store::sqlite {

struct Schema {
  std::span<const sql::Migration> migrations;
  std::string_view sync;  // PRAGMA synchronous: what a commit waits for
};

// FULL: a commit is there when it returns, whatever happens to the machine. The journal that rows come from is removed
// when they are there.
inline Schema audit_schema() { return {sql::sqlite_migrations(), "FULL"}; }
inline Schema queue_schema() { return {sql::queue_migrations(), "FULL"}; }

// A database file that is opened when it is needed: SQLite's exceptions end here as Errors.
class Database {
 public:
  using Prepare = std::function<void(Connection&)>;

  // `prepare` is run on each new connection.
  Database(int dir_fd, std::string name, Schema schema, Prepare prepare = nullptr);

  // What `work(Connection&)` returns. Its Error has `step`.
  template <typename Work>
  auto run(std::string_view step, Work work) -> std::expected<std::invoke_result_t<Work&, Connection&>, base::Error>;

 private:
  // Throws SQLite::Exception.
  base::Result<Connection*> connection(std::string_view step);
  base::Status make_file(std::string_view step) const;
  base::Status migrate(Connection& connection);
  [[nodiscard]] bool is_still_there() const;
  // Turns the exception into an error, and lets the connection go where that may help.
  base::Error failed(std::string_view step, const SQLite::Exception& exception);

  base::UniqueFd dir_;
  std::string name_;
  Schema schema_;
  Prepare prepare_;
  std::unique_ptr<Connection> connection_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

template <typename Work>
auto Database::run(std::string_view step, Work work)
    -> std::expected<std::invoke_result_t<Work&, Connection&>, base::Error> {
  try {
    const auto open = connection(step);
    if (!open) return std::unexpected(open.error());
    if constexpr (std::is_void_v<std::invoke_result_t<Work&, Connection&>>) {
      work(**open);
      return {};
    } else {
      return work(**open);
    }
  } catch (const SQLite::Exception& exception) {
    return std::unexpected(failed(step, exception));
  }
}

}  // namespace outrigger::store::sqlite
