#include "audit/spool.h"

#include "base/log.h"

namespace outrigger::audit {
namespace {

constexpr std::chrono::seconds kTryDiskAgain{1};

}  // namespace

void Spool::add(Record record) {
  const bool opens = record.kind == RecordKind::kBegin || record.kind == RecordKind::kHold;
  if (opens) {
    open_[record.job_id] = record;
  } else {
    open_.erase(record.job_id);
  }
  const std::lock_guard lock(mutex_);
  move_to_disk();
  // Never past one that waits in memory: rows would be told of before their jobs' beginnings.
  if (memory_.empty()) {
    const base::Status put = put_on_disk(record);
    if (put) {
      trouble_.clear();
    } else {
      keep_in_memory(std::move(record), put.error());
    }
  } else {
    keep_in_memory(std::move(record), {});
  }
  changed_.notify_all();
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

void Spool::keep_in_memory(Record record, const base::Error& error) {
  if (!error.step.empty()) {
    if (trouble_.empty()) base::log(base::Level::kError, "audit_spool_refuses", {{"error", error.text()}});
    trouble_ = error.text();
    next_try_ = std::chrono::steady_clock::now() + kTryDiskAgain;
  }
  if (memory_.size() < max_in_memory_) {
    memory_.push_back({next_number_++, std::move(record)});
    return;
  }
  if (lost_++ == 0) base::log(base::Level::kError, "audit_record_lost", {{"job_id", record.job_id}});
}

void Spool::move_to_disk() {
  if (memory_.empty() || std::chrono::steady_clock::now() < next_try_) return;
  while (!memory_.empty()) {
    if (const base::Status put = put_on_disk(memory_.front().record); !put) {
      trouble_ = put.error().text();
      next_try_ = std::chrono::steady_clock::now() + kTryDiskAgain;
      return;
    }
    memory_.pop_front();
  }
  trouble_.clear();
}

Spool::Batch Spool::next(Position from, std::chrono::milliseconds wait, std::chrono::milliseconds linger,
                         std::size_t max_bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, wait, [&] { return stopped_ || has_more(from); });
  if (!has_more(from)) {
    hurry_ = false;
    return {{}, from, 0};
  }
  changed_.wait_for(lock, linger, [&] { return stopped_ || hurry_; });
  Batch batch{{}, from, 0};
  if (from < journal_.end()) {
    lock.unlock();
    auto read = journal_.read(from, max_bytes);
    if (!read) {
      base::log(base::Level::kError, "audit_spool_unreadable", {{"error", read.error().text()}});
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
