#include "audit/spool.h"

#include "base/log.h"

namespace outrigger::audit {
namespace {

constexpr std::chrono::seconds kTryDiskAgain{1};
constexpr std::size_t kMostRows = 1000;

}  // namespace

void Spool::add(Record record, std::optional<model::RunRecord> row) {
  const bool opens = record.kind == RecordKind::kBegin || record.kind == RecordKind::kHold;
  const bool makes_row = record.kind == RecordKind::kEnd || record.kind == RecordKind::kKeep;
  if (opens) {
    open_[record.job_id] = record;
  } else {
    open_.erase(record.job_id);
  }
  const std::lock_guard lock(mutex_);
  if (row && rows_.size() < kMostRows) rows_.insert_or_assign(record.job_id, std::move(*row));
  move_to_disk();
  // Never past one that waits in memory: rows would be told of before their jobs' beginnings.
  if (memory_.empty()) {
    const base::Status put = put_on_disk(record);
    if (put) {
      trouble_.clear();
    } else {
      note_refusal(put.error());
      keep_in_memory(std::move(record));
    }
  } else {
    keep_in_memory(std::move(record));
  }
  // A wake-up costs more than the record: there is none while more is being waited for anyway.
  if (makes_row && idle_) changed_.notify_all();
}

std::optional<model::RunRecord> Spool::take_row(const std::string& job_id) {
  const std::lock_guard lock(mutex_);
  auto node = rows_.extract(job_id);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

// Files that were read to their end are removed, so whatever is still open is told again in each new one.
base::Status Spool::put_on_disk(const Record& record) {
  if (journal_.segment_full()) {
    if (const base::Status opened = journal_.open_next(); !opened) return opened;
    for (const auto& [job_id, each] : open_) {
      if (const base::Status again = journal_.append(each); !again) return again;
    }
  }
  return journal_.append(record);
}

void Spool::note_refusal(const base::Error& error) {
  if (trouble_.empty()) base::log(base::Level::kError, "audit_spool_refuses", {{"error", error.text()}});
  trouble_ = error.text();
  next_try_ = std::chrono::steady_clock::now() + kTryDiskAgain;
}

void Spool::keep_in_memory(Record record) {
  if (memory_.size() < max_in_memory_) {
    memory_.push_back({next_number_++, std::move(record)});
    return;
  }
  rows_.erase(record.job_id);  // nobody will ask for it
  if (lost_++ == 0) base::log(base::Level::kError, "audit_record_lost", {{"job_id", record.job_id}});
}

void Spool::move_to_disk() {
  if (memory_.empty() || std::chrono::steady_clock::now() < next_try_) return;
  while (!memory_.empty()) {
    if (const base::Status put = put_on_disk(memory_.front().record); !put) {
      note_refusal(put.error());
      return;
    }
    memory_.pop_front();
  }
  trouble_.clear();
}

Spool::Batch Spool::next(Position from, std::chrono::milliseconds wait, std::chrono::milliseconds linger,
                         std::size_t max_bytes) {
  std::unique_lock lock(mutex_);
  idle_ = true;
  changed_.wait_for(lock, wait, [&] { return stopped_ || hurry_ || has_more(from); });
  idle_ = false;
  if (!has_more(from)) {
    hurry_ = false;
    return {{}, from, 0};
  }
  if (!is_full_batch(from, max_bytes)) changed_.wait_for(lock, linger, [&] { return stopped_ || hurry_; });
  hurry_ = false;
  Batch batch{{}, from, 0};
  if (from < journal_.end()) {
    lock.unlock();
    auto read = journal_.read(from, max_bytes);
    if (!read) {
      base::log(base::Level::kError, "audit_spool_unreadable", {{"error", read.error().text()}});
      lock.lock();
      changed_.wait_for(lock, wait,
                        [&] { return stopped_; });  // the disk may recover; asking it all the time won't help
      return batch;
    }
    batch.records = std::move(read->records);
    batch.next = read->next;
    return batch;
  }
  for (const InMemory& each : memory_) {
    batch.records.push_back(each.record);
    batch.memory_through = each.number;
  }
  return batch;
}

// Whether there is as much as one batch takes: waiting for more would only hold it up.
bool Spool::is_full_batch(Position from, std::size_t max_bytes) const {
  const Position end = journal_.end();
  return from.segment != end.segment || end.offset - from.offset >= max_bytes;
}

void Spool::done(const Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    while (!memory_.empty() && memory_.front().number <= batch.memory_through) memory_.pop_front();
    if (memory_.empty() && batch.memory_through > 0) trouble_.clear();
  }
  journal_.remove_before(batch.next);
}

void Spool::hurry() {
  const std::lock_guard lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
}

void Spool::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

Spool::State Spool::state() const {
  const std::lock_guard lock(mutex_);
  return {trouble_, memory_.size(), lost_};
}

}  // namespace outrigger::audit
