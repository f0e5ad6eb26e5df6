#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "audit/spool.h"
#include "store/audit_store.h"

namespace outrigger::audit {

// The thread that makes rows of records: in batches, in order, and again until the database has taken them.
class Writer {
 public:
  struct Options {
    std::chrono::hours retention{0};  // rows that ended longer ago are removed; 0: none are
    int rejected_dir = -1;            // where rejected.jsonl is kept; not owned
  };

  Writer(Spool& spool, const Journal& journal, store::AuditStore& store, Options options);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer();

  // `held`: of an earlier process, still unsettled.
  void start();
  // Writes what there is until `limit` has passed, and ends the thread. What is left stays in the spool; whether
  // nothing is.
  bool stop(std::chrono::milliseconds limit);

  // Waits until everything told up to this moment is in the database; false where that is away or `limit` has passed.
  bool wait_written(std::chrono::milliseconds limit);

  struct State {
    std::string trouble;  // empty, or why the database takes nothing
    std::uint64_t rows = 0;
    std::uint64_t rejected = 0;  // rows that the database refuses for what is in them
  };
  [[nodiscard]] State state() const;

 private:
  void run();
  std::vector<model::RunRecord> rows_of(const Spool::Batch& batch);
  void add_row(std::vector<model::RunRecord>& rows, const Record& record);
  // False where the thread is to end first.
  bool insert(const std::vector<model::RunRecord>& rows);
  void insert_one_by_one(const std::vector<model::RunRecord>& rows);
  void reject(const model::RunRecord& record, const base::Error& error);
  void note(const base::Status& status);
  bool pause(std::chrono::milliseconds time);
  void remove_old();

  Spool& spool_;
  const Journal& journal_;
  store::AuditStore& store_;
  Options options_;
  std::map<std::string, Record> held_;
  std::chrono::steady_clock::time_point next_removal_;

  mutable std::mutex mutex_;  // over what follows
  std::condition_variable changed_;
  Position written_;
  bool idle_ = false;  // nothing was left in memory when it last looked
  State state_;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point give_up_at_;
  std::thread thread_;
};

}  // namespace outrigger::audit
