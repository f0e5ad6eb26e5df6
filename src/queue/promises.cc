#include "queue/promises.h"

#include <utility>

#include "base/back_off.h"

namespace outrigger::queue {
namespace {

namespace asio = boost::asio;
using std::chrono::system_clock;
using namespace std::chrono_literals;

constexpr std::size_t kAtOnce = 200;
constexpr std::chrono::milliseconds kNextLook = 1s;

}  // namespace

// Jobs that are written together; whoever brought one waits for `done`.
struct Promises::Batch {
  explicit Batch(const asio::any_io_executor& executor) : done(executor, asio::steady_timer::time_point::max()) {}
  std::vector<store::Submission> jobs;
  asio::steady_timer done;
  bool finished = false;
  base::Status result;
};

Promises::Promises(const asio::any_io_executor& executor, Line& line, std::unique_ptr<store::Outbox> outbox,
                   std::chrono::milliseconds patience)
    : executor_(executor),
      line_(line),
      outbox_(std::move(outbox)),
      patience_(patience),
      sleeper_(executor),
      tasks_(executor) {}

asio::awaitable<base::Status> Promises::keep(store::Submission job) {
  if (!next_) next_ = std::make_shared<Batch>(executor_);
  const std::shared_ptr<Batch> batch = next_;
  const std::string job_id = job.job_id;
  batch->jobs.push_back(std::move(job));
  if (!writing_) {
    writing_ = true;
    tasks_.spawn(flush());
  }
  while (!batch->finished) co_await batch->done.async_wait(asio::as_tuple(asio::use_awaitable));
  if (batch->result && outbox_) {
    unsent_[job_id] = true;
    sleeper_.wake();
  }
  co_return batch->result;
}

asio::awaitable<std::string> Promises::entry_of(std::string job_id) {
  if (!outbox_) co_return std::string();
  auto find = [this, job_id = std::move(job_id)] { return outbox_->find(job_id); };
  auto found = co_await disk_.call(std::move(find));
  if (!found || !*found) co_return std::string();
  co_return std::move((*found)->entry);
}

asio::awaitable<void> Promises::flush() {
  while (next_) {
    const std::shared_ptr<Batch> batch = std::exchange(next_, nullptr);
    batch->result = co_await write(batch->jobs);
    batch->finished = true;
    batch->done.cancel();
  }
  writing_ = false;
}

asio::awaitable<base::Status> Promises::write(std::vector<store::Submission> jobs) {
  if (!outbox_) {
    auto put = [jobs = std::move(jobs)](store::JobQueue& queue) { return queue.put(jobs); };
    auto done = co_await line_.ask(std::move(put));
    co_return done;
  }
  auto add = [this, jobs = std::move(jobs)] { return outbox_->add(jobs); };
  auto done = co_await disk_.call(std::move(add));
  co_return done;
}

asio::awaitable<void> Promises::look_after() {
  if (!outbox_) co_return;
  base::BackOff back_off;
  while (!sleeper_.stopped()) {
    const bool more = co_await look_at_some();
    if (!line_.trouble().empty()) {
      co_await sleeper_.sleep(back_off.next());
      continue;
    }
    back_off.reset();
    if (!more) co_await sleeper_.sleep(kNextLook);
  }
}

// Whether there may be more to look at.
asio::awaitable<bool> Promises::look_at_some() {
  const auto before = system_clock::now() - patience_;
  auto due = [this, before] { return outbox_->due(before, kAtOnce); };
  auto jobs = co_await disk_.call(std::move(due));
  if (!jobs || jobs->empty()) co_return false;
  std::vector<std::string> ids;
  for (const store::Submission& job : *jobs) ids.push_back(job.job_id);
  auto ask = [ids](store::JobQueue& queue) { return queue.states(ids); };
  const auto states = co_await line_.ask(std::move(ask));
  if (!states) co_return false;

  std::vector<std::string> seen;
  std::vector<std::string> final;
  std::vector<store::Submission> missing;
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < jobs->size() && i < states->size(); ++i) {
    store::Submission& job = (*jobs)[i];
    const store::JobState state = (*states)[i];
    if (state == store::JobState::kUnknown) {
      // One that was there before may be running, by a worker that has yet to say so.
      const bool never_put = unsent_.try_emplace(job.job_id, false).first->second;
      const auto since = missing_.try_emplace(job.job_id, now).first->second;
      if (never_put || now - since >= patience_) missing.push_back(std::move(job));
      continue;
    }
    missing_.erase(job.job_id);
    const bool is_final = state == store::JobState::kFinished || state == store::JobState::kDead;
    (is_final ? final : seen).push_back(job.job_id);
  }
  const bool full = jobs->size() == kAtOnce && missing.size() + seen.size() + final.size() > 0;
  for (const store::Submission& job : missing) seen.push_back(job.job_id);
  if (!missing.empty()) {
    const bool done = co_await put(std::move(missing));
    if (!done) co_return false;
  }
  co_await note(std::move(seen), std::move(final));
  co_return full;
}

asio::awaitable<bool> Promises::put(std::vector<store::Submission> jobs) {
  auto tell = [jobs = std::move(jobs)](store::JobQueue& queue) { return queue.put(jobs); };
  const auto done = co_await line_.ask(std::move(tell));
  co_return done.has_value();
}

asio::awaitable<void> Promises::note(std::vector<std::string> seen, std::vector<std::string> final) {
  for (const std::string& job_id : seen) unsent_.erase(job_id);
  for (const std::string& job_id : final) unsent_.erase(job_id);
  for (const std::string& job_id : seen) missing_.erase(job_id);
  auto write = [this, seen = std::move(seen), final = std::move(final)]() -> base::Status {
    if (!seen.empty()) {
      if (const auto marked = outbox_->mark_seen(seen, system_clock::now()); !marked) return marked;
    }
    if (final.empty()) return {};
    return outbox_->remove(final);
  };
  const base::Status done = co_await disk_.call(std::move(write));
  if (!done) base::log(base::Level::kWarn, "outbox_not_written", {{"error", done.error().text()}});
}

void Promises::stop() { sleeper_.stop(); }

}  // namespace outrigger::queue
