#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include "store_sqlite/database.h"
#include "store_sqlite/job_table.h"

namespace outrigger::store::sqlite {

// A queue's tables for several threads: each work has them for itself. SQLite lets one write at a time; who waits for
// this lock is served at once when it is free, who waits for SQLite's sleeps. So all share one connection.
class JobDatabase {
 public:
  // When the file is opened, what another process had running is put back: there is one process at a time.
  JobDatabase(int dir_fd, std::string name, Owner owner)
      : owner_(std::move(owner)),
        database_(dir_fd, std::move(name), queue_schema(), [this](Connection& made) { take_over(made); }) {}

  // What `work(JobTable&)` returns, or an Error with `step`.
  template <typename Work>
  auto read(std::string_view step, Work work) {
    const std::lock_guard lock(mutex_);
    return database_.run(step, [&](Connection& connection) {
      JobTable table(connection, owner_);
      return work(table);
    });
  }

  // The same in a transaction: it is on the disk when this returns.
  template <typename Work>
  auto write(std::string_view step, Work work) {
    const std::lock_guard lock(mutex_);
    return database_.run(step, [&](Connection& connection) { return in_transaction(connection, work); });
  }

 private:
  template <typename Work>
  auto in_transaction(Connection& connection, Work& work) {
    WriteTransaction transaction(connection);
    JobTable table(connection, owner_);
    if constexpr (std::is_void_v<std::invoke_result_t<Work&, JobTable&>>) {
      work(table);
      transaction.commit();
    } else {
      auto result = work(table);
      transaction.commit();
      return result;
    }
  }

  void take_over(Connection& connection) {
    auto work = [](JobTable& table) { table.put_all_back(table.of_other_processes(), "the daemon died"); };
    in_transaction(connection, work);
  }

  Owner owner_;
  std::mutex mutex_;
  Database database_;
};

}  // namespace outrigger::store::sqlite
