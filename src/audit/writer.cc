#include "audit/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/back_off.h"
#include "base/log.h"
#include "sys/small_file.h"
#include "wire/run_record.h"

namespace outrigger::audit {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kIdleWait = 1s;
// Rows that come together are cheaper; whoever asks for one is not kept waiting by this (Spool::hurry).
constexpr std::chrono::milliseconds kLinger = 250ms;
constexpr std::size_t kBatchBytes = 512U << 10;
constexpr std::chrono::milliseconds kPauseOfOne = 100ms;
constexpr std::chrono::hours kBetweenRemovals = 1h;
constexpr std::size_t kRemovedAtOnce = 1000;

}  // namespace

Writer::Writer(Spool& spool, const Journal& journal, store::AuditStore& store, Options options)
    : spool_(spool), journal_(journal), store_(store), options_(options) {}

Writer::~Writer() { stop(0ms); }

void Writer::start() {
  written_ = journal_.begin();
  thread_ = std::thread([this] { run(); });
}

bool Writer::stop(std::chrono::milliseconds limit) {
  if (!thread_.joinable()) return false;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    give_up_at_ = Clock::now() + limit;
    changed_.notify_all();
  }
  spool_.stop();
  thread_.join();
  return idle_;
}

void Writer::run() {
  note(store_.open());
  for (;;) {
    const Position from = [this] {
      const std::lock_guard lock(mutex_);
      return written_;
    }();
    const Spool::Batch batch = spool_.next(from, kIdleWait, kLinger, kBatchBytes);
    const bool empty = batch.records.empty() && batch.next == from;
    if (!empty && !insert(rows_of(batch))) return;
    if (!empty) spool_.done(batch);
    {
      const std::lock_guard lock(mutex_);
      written_ = batch.next;
      idle_ = empty;
      changed_.notify_all();
      if (empty && stopping_) return;
    }
    if (empty) remove_old();
  }
}

std::vector<model::RunRecord> Writer::rows_of(const Spool::Batch& batch) {
  std::vector<model::RunRecord> rows;
  for (const Record& record : batch.records) {
    switch (record.kind) {
      case RecordKind::kBegin: break;
      case RecordKind::kEnd: add_row(rows, record); break;
      case RecordKind::kHold: held_[record.job_id] = record; break;
      case RecordKind::kKeep:
        if (const auto found = held_.find(record.job_id); found != held_.end()) {
          add_row(rows, found->second);
          held_.erase(found);
        }
        break;
      case RecordKind::kDrop:
        held_.erase(record.job_id);
        static_cast<void>(spool_.take_row(record.job_id));
        break;
    }
  }
  return rows;
}

void Writer::add_row(std::vector<model::RunRecord>& rows, const Record& record) {
  if (auto known = spool_.take_row(record.job_id)) {
    rows.push_back(std::move(*known));
    return;
  }
  auto row = wire::parse_run_record(record.content);
  if (row) {
    rows.push_back(std::move(*row));
  } else {
    base::log(base::Level::kError, "audit_record_unreadable",
              {{"job_id", record.job_id}, {"error", row.error().text()}});
  }
}

bool Writer::insert(const std::vector<model::RunRecord>& rows) {
  if (rows.empty()) return true;
  base::BackOff back_off;
  for (;;) {
    const base::Status done = store_.insert(rows);
    if (!done && done.error().code == base::Code::kInvalid) {
      insert_one_by_one(rows);
      return true;
    }
    note(done);
    if (done) break;
    if (!pause(back_off.next())) return false;
  }
  const std::lock_guard lock(mutex_);
  state_.rows += rows.size();
  return true;
}

// One of them is refused for what is in it: that must not keep the others out. If the database goes away meanwhile, the
// rest waits for it as ever.
void Writer::insert_one_by_one(const std::vector<model::RunRecord>& rows) {
  for (const model::RunRecord& row : rows) {
    base::Status done;
    do {
      done = store_.insert(std::span(&row, 1));
      if (!done && done.error().code == base::Code::kInvalid) {
        reject(row, done.error());
        break;
      }
      note(done);
    } while (!done && pause(kPauseOfOne));
    const std::lock_guard lock(mutex_);
    if (done) ++state_.rows;
  }
}

void Writer::reject(const model::RunRecord& record, const base::Error& error) {
  base::log(base::Level::kError, "audit_row_rejected",
            {{"job_id", record.outcome.job_id}, {"error", error.text()}, {"kept_in", "rejected.jsonl"}});
  const std::string line = wire::run_record_json(record) + '\n';
  const auto file =
      sys::open_at(options_.rejected_dir, "rejected.jsonl", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0640);
  if (!file || ::write(file->get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    base::log(base::Level::kError, "audit_record_lost", {{"job_id", record.outcome.job_id}});
  }
  const std::lock_guard lock(mutex_);
  ++state_.rejected;
}

void Writer::note(const base::Status& status) {
  const std::lock_guard lock(mutex_);
  const std::string text = status ? "" : status.error().text();
  if (text == state_.trouble) return;
  if (text.empty()) {
    base::log(base::Level::kInfo, "audit_database_back");
  } else if (state_.trouble.empty()) {
    base::log(base::Level::kError, "audit_database_away", {{"error", text}});
  }
  state_.trouble = text;
  changed_.notify_all();
}

// False where the thread is to end instead.
bool Writer::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (!stopping_) {
    changed_.wait_for(lock, time, [this] { return stopping_; });
    return true;
  }
  if (Clock::now() + time >= give_up_at_) return false;
  lock.unlock();
  std::this_thread::sleep_for(time);
  return true;
}

void Writer::remove_old() {
  if (options_.retention == 0h || Clock::now() < next_removal_) return;
  const auto removed =
      store_.remove_ended_before(std::chrono::system_clock::now() - options_.retention, kRemovedAtOnce);
  const bool more = removed && *removed == kRemovedAtOnce;
  next_removal_ = Clock::now() + (more ? Clock::duration{0} : kBetweenRemovals);
  if (removed && *removed > 0)
    base::log(base::Level::kInfo, "audit_rows_expired", {{"rows", std::to_string(*removed)}});
}

bool Writer::wait_written(std::chrono::milliseconds limit) {
  const Position target = journal_.end();
  spool_.hurry();
  std::unique_lock lock(mutex_);
  const bool in_memory = spool_.state().in_memory > 0;
  changed_.wait_for(lock, limit, [&] {
    return !state_.trouble.empty() || stopping_ || (written_ >= target && (!in_memory || idle_));
  });
  return written_ >= target && state_.trouble.empty();
}

Writer::State Writer::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace outrigger::audit
