#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/unique_fd.h"
#include "ledger/line.h"
#include "ledger/segment_file.h"
#include "ledger/segment_writer.h"

namespace outrigger::ledger {

struct AppenderOptions {
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;  // a file is not made larger, unless by one line
  std::size_t max_queued = 65536;                         // lines not on the disk yet; beyond it add() refuses
  std::size_t max_queued_bytes = std::size_t{64} << 20;   // of their members
  std::chrono::milliseconds closing_time{5000};           // how long the destructor goes on trying
  // Between two tries to write, doubled from the one to the other.
  std::chrono::milliseconds first_pause{100};
  std::chrono::milliseconds longest_pause{5000};
  OpenSegment open_segment = open_segment_file;
};

// What was found at the ledger's end when it was opened.
struct Opening {
  // The unfinished line, or the bytes never written, that a crash left: cut off, since they were never acknowledged.
  std::uint64_t cut_bytes = 0;
  std::string cut_file;
  std::string cut_text;  // the first 200 of them, not printable ones as \xNN
  // A sentence, if finished lines at the end are broken. They stay, and verify() shows them for ever.
  std::optional<std::string> broken;
};

struct AppenderState {
  std::size_t queued = 0;           // added and not on the disk yet
  std::uint64_t lines_written = 0;  // since the opening
  std::uint64_t errors = 0;         // tries to write that failed, since the opening
  std::string trouble;              // a sentence for the operator while the last try has failed; empty when all is well
  Head head;                        // of what is on the disk
};

// The one writer of a ledger. Lines are added from any thread and never wait for the disk; a thread of its own takes
// all that have come, writes them at once, syncs once, and only then acknowledges them. What can't be written stays
// queued and is tried again: no line is acknowledged that is not on the disk, and none is there twice.
class Appender {
 public:
  // `dir` stays the caller's, and may be closed afterwards. Repairs the ledger's end as Opening says. Errors: kInvalid
  // for the name, kConflict with a sentence if there is another writer, kSystem.
  static base::Result<std::unique_ptr<Appender>> open(int dir, std::string_view name, AppenderOptions options = {});

  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  // close(), with the options' time.
  ~Appender();

  [[nodiscard]] const Opening& opening() const { return opening_; }

  // `members` is the text of JSON members (line.h). The ticket is the line's seq: tickets are given in order and
  // without gaps. Errors, in which case nothing was added: kExhausted while too many wait, kTooLarge (kMaxMembers),
  // kUnavailable after close().
  base::Result<std::uint64_t> add(std::string members);

  // Lines added and not on the disk yet.
  [[nodiscard]] std::size_t queued() const;
  // This line and all before it are on the disk. At first the seq of the last line that was there already.
  [[nodiscard]] std::uint64_t durable() const;
  // An eventfd (this object's; non-blocking) that is readable once durable() has grown, until take_durable().
  [[nodiscard]] int durable_event() const { return event_.get(); }
  std::uint64_t take_durable();
  // False if the deadline came first, or the appender was closed without it.
  bool wait_durable(std::uint64_t ticket, std::chrono::steady_clock::time_point deadline) const;
  [[nodiscard]] AppenderState state() const;

  // Takes no more lines, commits those that wait, trying again until `within` has passed, and ends the thread and the
  // lock. Gives how many lines were left over. A system call that the kernel doesn't return from can't be cut short.
  std::size_t close(std::chrono::milliseconds within);

 private:
  // Lines on their way to the disk.
  struct Batch {
    std::string text;
    std::uint64_t first_seq = 0;
    std::size_t lines = 0;
    std::size_t member_bytes = 0;
    Head head;  // of the last
  };

  Appender(base::UniqueFd dir, std::string name, AppenderOptions options);
  base::Status begin();
  void run();
  std::optional<std::deque<std::string>> take_queued();
  [[nodiscard]] Batch render(const std::deque<std::string>& records) const;
  bool commit(const Batch& batch);
  void acknowledge(const Batch& batch);
  void note_failure(const base::Error& error);
  bool pause(std::chrono::milliseconds time);

  base::UniqueFd dir_;
  std::string name_;
  AppenderOptions options_;
  Opening opening_;
  base::UniqueFd lock_;
  base::UniqueFd event_;
  std::unique_ptr<SegmentWriter> writer_;  // the thread's
  Head head_;                              // of what is on the disk; written by the thread under the mutex
  std::size_t batch_bytes_ = 0;

  mutable std::mutex mutex_;                 // over what follows
  mutable std::condition_variable changed_;  // for the thread
  mutable std::condition_variable grown_;    // for wait_durable()
  std::deque<std::string> queue_;
  std::size_t queued_ = 0;  // the queue's and the batch's
  std::size_t queued_bytes_ = 0;
  std::uint64_t last_ticket_ = 0;
  std::uint64_t lines_written_ = 0;
  std::uint64_t errors_ = 0;
  std::string trouble_;
  std::optional<std::chrono::steady_clock::time_point> closing_;  // when to give up; set by close()
  bool ended_ = false;                                            // the thread is
  std::thread thread_;
};

}  // namespace outrigger::ledger
