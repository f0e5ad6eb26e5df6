#include "ledger/appender.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "ledger/segments.h"
#include "ledger/tail.h"
#include "ledger/trouble.h"
#include "ledger/writer_lock.h"
#include "sys/small_file.h"
#include "wire/time_text.h"

namespace outrigger::ledger {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kStep = "ledger_append";
// Of one write(2). More would keep the first of many waiting, and gain nothing: a sync costs what hundreds of lines do.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
// What a line has beside its members, about.
constexpr std::size_t kLineOverhead = 230;

}  // namespace

Appender::Appender(base::UniqueFd dir, std::string name, AppenderOptions options)
    : dir_(std::move(dir)),
      name_(std::move(name)),
      options_(std::move(options)),
      batch_bytes_(std::min<std::uint64_t>(kBatchBytes, options_.segment_bytes)) {}

base::Result<std::unique_ptr<Appender>> Appender::open(int dir, std::string_view name, AppenderOptions options) {
  if (!is_ledger_name(name)) return base::failure(base::Code::kInvalid, kStep, "this is no name for a ledger");
  // Not a duplicate: one that was opened with O_PATH could not be synced.
  auto own = sys::open_at(dir, ".", O_RDONLY | O_DIRECTORY);
  if (!own) return base::system_error(kStep, "the ledger's directory", own.error().errno_value);
  std::unique_ptr<Appender> appender(new Appender(std::move(*own), std::string(name), std::move(options)));
  if (const auto begun = appender->begin(); !begun) return std::unexpected(begun.error());
  return appender;
}

base::Status Appender::begin() {
  auto lock = lock_for_writing(dir_.get(), name_);
  if (!lock) return std::unexpected(lock.error());
  lock_ = std::move(*lock);
  auto tail = read_tail(dir_.get(), name_);
  if (!tail) return std::unexpected(tail.error());
  if (const auto settled = settle_tail(dir_.get(), *tail, options_.open_segment); !settled) return settled;
  event_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event_) return base::system_error(kStep, "eventfd");
  if (tail->torn_bytes > 0) opening_ = {tail->torn_bytes, tail->file, tail->torn_text, std::nullopt};
  opening_.broken = std::move(tail->broken);
  head_ = std::move(tail->head);
  last_ticket_ = head_.seq;
  writer_ = std::make_unique<SegmentWriter>(dir_.get(), name_, options_.open_segment, options_.segment_bytes,
                                            tail->file, tail->whole_bytes);
  thread_ = std::thread([this] { run(); });
  return {};
}

Appender::~Appender() { close(options_.closing_time); }

base::Result<std::uint64_t> Appender::add(std::string members) {
  if (members.size() > kMaxMembers) {
    return base::failure(base::Code::kTooLarge, kStep, std::to_string(members.size()) + " bytes in one line");
  }
  const std::lock_guard lock(mutex_);
  if (closing_) return base::failure(base::Code::kUnavailable, kStep, "the ledger is closed");
  if (queued_ >= options_.max_queued || queued_bytes_ + members.size() > options_.max_queued_bytes) {
    return base::failure(base::Code::kExhausted, kStep, "too many lines wait for the disk");
  }
  ++queued_;
  queued_bytes_ += members.size();
  queue_.push_back(std::move(members));
  changed_.notify_one();
  return ++last_ticket_;
}

std::size_t Appender::queued() const {
  const std::lock_guard lock(mutex_);
  return queued_;
}

std::uint64_t Appender::durable() const {
  const std::lock_guard lock(mutex_);
  return head_.seq;
}

std::uint64_t Appender::take_durable() {
  std::uint64_t count = 0;
  static_cast<void>(::read(event_.get(), &count, sizeof count));
  return durable();
}

bool Appender::wait_durable(std::uint64_t ticket, steady_clock::time_point deadline) const {
  std::unique_lock lock(mutex_);
  grown_.wait_until(lock, deadline, [&] { return head_.seq >= ticket || ended_; });
  return head_.seq >= ticket;
}

AppenderState Appender::state() const {
  const std::lock_guard lock(mutex_);
  return {queued_, lines_written_, errors_, trouble_, head_};
}

std::size_t Appender::close(milliseconds within) {
  {
    const std::lock_guard lock(mutex_);
    if (!closing_) closing_ = steady_clock::now() + within;
    changed_.notify_one();
  }
  if (!thread_.joinable()) return queued();
  thread_.join();
  writer_.reset();
  lock_.reset();
  const std::size_t left = queued();
  if (left > 0)
    base::log(base::Level::kError, "ledger_lines_lost", {{"ledger", name_}, {"lines", std::to_string(left)}});
  return left;
}

// Ends when it is told to and nothing is left, or no time.
void Appender::run() {
  while (const auto records = take_queued()) {
    if (!commit(render(*records))) break;
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  grown_.notify_all();
}

// As many as one write(2) should have, at least one.
std::optional<std::deque<std::string>> Appender::take_queued() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
  if (queue_.empty() || (closing_ && steady_clock::now() >= *closing_)) return std::nullopt;
  std::deque<std::string> taken;
  std::size_t bytes = 0;
  while (!queue_.empty()) {
    bytes += queue_.front().size() + kLineOverhead;
    if (!taken.empty() && bytes > batch_bytes_) break;
    taken.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return taken;
}

Appender::Batch Appender::render(const std::deque<std::string>& records) const {
  Batch batch;
  batch.first_seq = head_.seq + 1;
  batch.head = head_;
  const std::string now = wire::time_text(std::chrono::system_clock::now());
  for (const std::string& members : records) {
    batch.head = append_line(batch.text, batch.head, now, members);
    batch.member_bytes += members.size();
  }
  batch.lines = records.size();
  return batch;
}

// The same bytes until they are on the disk; false if the time to close ran out first.
bool Appender::commit(const Batch& batch) {
  milliseconds wait = options_.first_pause;
  for (;;) {
    const base::Status written = writer_->append(batch.text, batch.first_seq);
    if (written) break;
    note_failure(written.error());
    if (!pause(wait)) return false;
    wait = std::min(wait * 2, options_.longest_pause);
  }
  acknowledge(batch);
  return true;
}

void Appender::acknowledge(const Batch& batch) {
  const std::lock_guard lock(mutex_);
  if (!trouble_.empty()) base::log(base::Level::kInfo, "ledger_written_again", {{"ledger", name_}});
  trouble_.clear();
  head_ = batch.head;
  lines_written_ += batch.lines;
  queued_ -= batch.lines;
  queued_bytes_ -= batch.member_bytes;
  const std::uint64_t one = 1;
  static_cast<void>(::write(event_.get(), &one, sizeof one));
  grown_.notify_all();
}

void Appender::note_failure(const base::Error& error) {
  const std::lock_guard lock(mutex_);
  if (trouble_.empty()) {
    base::log(base::Level::kError, "ledger_not_written", {{"ledger", name_}, {"error", error.text()}});
  }
  ++errors_;
  trouble_ = trouble_sentence(name_, error, queued_);
}

// False when it is time to give up. A pause ends when close() is called, so that what waits is tried once more at
// least.
bool Appender::pause(milliseconds time) {
  std::unique_lock lock(mutex_);
  const auto closing = closing_;
  if (!closing) {
    changed_.wait_for(lock, time, [this] { return closing_.has_value(); });
    return true;
  }
  const auto now = steady_clock::now();
  if (now >= *closing) return false;
  const auto wake = std::min(now + options_.first_pause, *closing);
  lock.unlock();
  std::this_thread::sleep_until(wake);
  return true;
}

}  // namespace outrigger::ledger
