#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "audit/journal.h"
#include "model/run_record.h"

namespace outrigger::audit {

// What stands between those who tell and the one who writes rows: records on disk, and where the disk takes none, a
// bounded number of them in memory. add() is for the event loop's thread and never waits; next() and done() for the
// writer's.
class Spool {
 public:
  Spool(Journal& journal, std::size_t max_in_memory) : journal_(journal), max_in_memory_(max_in_memory) {}

  // `row`: what the content says, where it is at hand: reading it again is most of the work of making a row.
  void add(Record record, std::optional<model::RunRecord> row = std::nullopt);
  // The row that came with the last record of this job, once; nothing where there was none, or too many have come
  // since. For the writer's thread.
  std::optional<model::RunRecord> take_row(const std::string& job_id);

  struct Batch {
    std::vector<Record> records;
    Position next;                     // in the journal
    std::uint64_t memory_through = 0;  // the last of those in memory
  };
  // Waits for records at or after `from`, until stop() or so long; then lets more come for `linger`, unless hurry()
  // was called. Empty where there are none.
  Batch next(Position from, std::chrono::milliseconds wait, std::chrono::milliseconds linger, std::size_t max_bytes);
  void done(const Batch& batch);

  // Whether every job that was begun has ended and is settled. For the event loop's thread.
  [[nodiscard]] bool nothing_open() const { return open_.empty(); }

  // From any thread: whoever waits in next() is not to linger.
  void hurry();
  void stop();

  struct State {
    std::string trouble;  // empty, or why records are not being put on disk
    std::size_t in_memory = 0;
    std::uint64_t lost = 0;  // found no room anywhere
  };
  [[nodiscard]] State state() const;

 private:
  struct InMemory {
    std::uint64_t number;
    Record record;
  };

  base::Status put_on_disk(const Record& record);
  void note_refusal(const base::Error& error);
  void keep_in_memory(Record record);
  void move_to_disk();
  [[nodiscard]] bool is_full_batch(Position from, std::size_t max_bytes) const;
  [[nodiscard]] bool has_more(Position from) const { return !memory_.empty() || from < journal_.end(); }

  Journal& journal_;
  std::size_t max_in_memory_;
  std::map<std::string, Record> open_;  // begun or held, and not ended: what a new file must begin with
  std::chrono::steady_clock::time_point next_try_;

  mutable std::mutex mutex_;  // over what follows
  std::condition_variable changed_;
  std::deque<InMemory> memory_;
  std::map<std::string, model::RunRecord> rows_;
  std::uint64_t next_number_ = 1;
  std::string trouble_;
  std::uint64_t lost_ = 0;
  bool hurry_ = false;
  bool idle_ = false;  // the writer waits for something to do
  bool stopped_ = false;
};

}  // namespace outrigger::audit
