#include <algorithm>

#include "store_sqlite/database.h"
#include "store_sqlite/stores.h"

namespace outrigger::store {
namespace {

using sqlite::Connection;
using sqlite::Prepared;
using std::chrono::system_clock;

std::int64_t microseconds_of(system_clock::time_point time) {
  return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
}

class SqliteOutbox final : public Outbox {
 public:
  SqliteOutbox(int dir_fd, std::string name) : database_(dir_fd, std::move(name), sqlite::queue_schema()) {}

  base::Status open() override {
    return database_.run("outbox_open", [](Connection&) {});
  }

  base::Status add(std::span<const Submission> jobs) override {
    return write("outbox_add", [&](Connection& connection) {
      for (const Submission& job : jobs) add_one(connection, job);
    });
  }

  base::Result<std::vector<Submission>> due(system_clock::time_point seen_before, std::size_t at_most) override {
    // 0 is never: due whatever is asked.
    const std::int64_t before = std::max<std::int64_t>(microseconds_of(seen_before), 1);
    return database_.run("outbox_due", [&](Connection& connection) {
      Prepared select = connection.prepare(
          "SELECT job_id, entry FROM outbox JOIN outbox_entries USING (job_id) WHERE seen_at_us < ? "
          "ORDER BY seen_at_us, id LIMIT ?");
      select.number(before).number(static_cast<std::int64_t>(at_most));
      std::vector<Submission> found;
      while (select.step()) found.push_back({select.text_at(0), select.text_at(1)});
      return found;
    });
  }

  base::Result<std::optional<Submission>> find(const std::string& job_id) override {
    return database_.run("outbox_find", [&](Connection& connection) -> std::optional<Submission> {
      Prepared select = connection.prepare("SELECT entry FROM outbox_entries WHERE job_id = ?");
      select.text(job_id);
      if (!select.step()) return std::nullopt;
      return Submission{job_id, select.text_at(0)};
    });
  }

  base::Status mark_seen(std::span<const std::string> job_ids, system_clock::time_point when) override {
    return write("outbox_mark_seen", [&](Connection& connection) {
      for (const std::string& job_id : job_ids) {
        Prepared update = connection.prepare("UPDATE outbox SET seen_at_us = ? WHERE job_id = ?");
        update.number(microseconds_of(when)).text(job_id).execute();
      }
    });
  }

  base::Status remove(std::span<const std::string> job_ids) override {
    return write("outbox_remove", [&](Connection& connection) {
      for (const std::string& job_id : job_ids) {
        connection.prepare("DELETE FROM outbox WHERE job_id = ?").text(job_id).execute();
        connection.prepare("DELETE FROM outbox_entries WHERE job_id = ?").text(job_id).execute();
      }
    });
  }

  base::Result<std::size_t> size() override {
    return database_.run("outbox_size", [](Connection& connection) {
      Prepared count = connection.prepare("SELECT count(*) FROM outbox");
      count.step();
      return static_cast<std::size_t>(count.number_at(0));
    });
  }

 private:
  static void add_one(Connection& connection, const Submission& job) {
    Prepared insert = connection.prepare("INSERT INTO outbox (job_id) VALUES (?) ON CONFLICT (job_id) DO NOTHING");
    if (insert.text(job.job_id).execute() == 0) return;
    connection.prepare("INSERT INTO outbox_entries VALUES (?, ?)").text(job.job_id).text(job.entry).execute();
  }

  template <typename Work>
  base::Status write(std::string_view step, Work work) {
    return database_.run(step, [&](Connection& connection) {
      sqlite::WriteTransaction transaction(connection);
      work(connection);
      transaction.commit();
    });
  }

  sqlite::Database database_;
};

}  // namespace

std::unique_ptr<Outbox> make_sqlite_outbox(int dir_fd, std::string name) {
  return std::make_unique<SqliteOutbox>(dir_fd, std::move(name));
}

}  // namespace outrigger::store
