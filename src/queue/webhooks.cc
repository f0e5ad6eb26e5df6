#include "queue/webhooks.h"

#include <utility>

#include "base/back_off.h"
#include "base/log.h"
#include "webhook/back_off.h"
#include "wire/trace_context.h"

namespace outrigger::queue {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr std::size_t kSenders = 4;
constexpr std::size_t kRecoveredAtOnce = 100;
constexpr std::chrono::milliseconds kLongestSleep = 60s;

// What is kept of one: a line with its URL and, behind a space, its traceparent, if any; then what is to be sent. A URL
// has neither a space nor a line's end.
std::string kept(const Callback& callback) {
  const std::string trace = callback.traceparent.empty() ? "" : ' ' + callback.traceparent;
  return callback.url + trace + '\n' + callback.body;
}

webhook::Delivery delivery_of(const store::Submission& entry) {
  const std::size_t end = entry.entry.find('\n');
  const std::string head = entry.entry.substr(0, end);
  const std::size_t space = head.find(' ');
  webhook::Delivery delivery;
  delivery.job_id = entry.job_id;
  delivery.url = head.substr(0, space);
  if (space != std::string::npos) {
    const auto trace = wire::parse_traceparent(std::string_view(head).substr(space + 1));
    if (trace) delivery.traceparent = wire::traceparent_of(*trace, entry.job_id);
  }
  if (end != std::string::npos) delivery.body = entry.entry.substr(end + 1);
  return delivery;
}

}  // namespace

Webhooks::Webhooks(const asio::any_io_executor& executor, webhook::UrlRules rules, webhook::CourierOptions options,
                   std::unique_ptr<store::Outbox> outbox)
    : rules_(std::move(rules)), outbox_(std::move(outbox)), sleeper_(executor), tasks_(executor) {
  for (std::size_t i = 0; i < kSenders; ++i) senders_.push_back(std::make_unique<Sender>(rules_, options));
}

void Webhooks::start(Line& line) {
  tasks_.spawn(recover(line));
  for (std::size_t i = 0; i < kSenders; ++i) tasks_.spawn(send_all(i));
}

void Webhooks::stop() { sleeper_.stop(); }

std::string Webhooks::refusal(const std::string& url) const {
  const base::Status checked = rules_.check(url);
  return checked ? "" : "callback_url: " + checked.error().context;
}

asio::awaitable<void> Webhooks::prepare(std::string job_id, Callback callback) {
  auto add = [this, entry = store::Submission{job_id, kept(callback)}] { return outbox_->add({&entry, 1}); };
  const base::Status done = co_await disk_.call(std::move(add));
  if (!done) base::log(base::Level::kError, "callback_lost", {{"job_id", job_id}, {"error", done.error().text()}});
}

void Webhooks::decide(const std::string& job_id, bool deliver) {
  if (deliver) {
    due_[job_id] = {0, Clock::now(), false};
    sleeper_.wake();
  } else {
    tasks_.spawn(forget(job_id));
  }
}

asio::awaitable<void> Webhooks::forget(std::string job_id) {
  auto remove = [this, job_id] { return outbox_->remove({&job_id, 1}); };
  const base::Status done = co_await disk_.call(std::move(remove));
  if (!done) base::log(base::Level::kWarn, "callback_not_removed", {{"job_id", job_id}});
}

asio::awaitable<void> Webhooks::recover(Line& line) {
  const auto started = std::chrono::system_clock::now();
  while (!sleeper_.stopped()) {
    auto find = [this, started] { return outbox_->due(started, kRecoveredAtOnce); };
    const auto left = co_await disk_.call(std::move(find));
    if (!left || left->empty()) co_return;
    for (const store::Submission& each : *left) {
      if (!due_.contains(each.job_id)) co_await recover_one(line, each);
    }
    std::vector<std::string> ids;
    for (const store::Submission& each : *left) ids.push_back(each.job_id);
    auto mark = [this, ids = std::move(ids)] { return outbox_->mark_seen(ids, std::chrono::system_clock::now()); };
    const base::Status marked = co_await disk_.call(std::move(mark));
    if (!marked) co_return;
  }
}

// Whether its job became final by what it says, is for the queue to say.
asio::awaitable<void> Webhooks::recover_one(Line& line, store::Submission left) {
  base::BackOff back_off;
  while (!sleeper_.stopped()) {
    auto ask = [job_id = left.job_id](store::JobQueue& queue) { return queue.look(job_id); };
    const auto view = co_await line.ask(std::move(ask));
    if (view) {
      decide(left.job_id, view->result == delivery_of(left).body);
      co_return;
    }
    co_await sleeper_.sleep(back_off.next());
  }
}

// The one that has waited longest, if it is time; else how long until it is.
std::optional<std::string> Webhooks::next(Clock::duration& wait) {
  const auto now = Clock::now();
  wait = kLongestSleep;
  for (auto& [job_id, due] : due_) {
    if (due.taken) continue;
    if (due.at <= now) {
      due.taken = true;
      return job_id;
    }
    wait = std::min<Clock::duration>(wait, due.at - now);
  }
  return std::nullopt;
}

asio::awaitable<void> Webhooks::send_all(std::size_t sender) {
  while (!sleeper_.stopped()) {
    Clock::duration wait{0};
    auto job_id = next(wait);
    if (job_id) {
      co_await send_one(sender, std::move(*job_id));
    } else {
      co_await sleeper_.sleep(std::chrono::ceil<std::chrono::milliseconds>(wait));
    }
  }
}

asio::awaitable<void> Webhooks::send_one(std::size_t sender, std::string job_id) {
  auto find = [this, job_id] { return outbox_->find(job_id); };
  const auto entry = co_await disk_.call(std::move(find));
  if (entry && !*entry) {
    due_.erase(job_id);
    co_return;
  }
  base::Result<webhook::Delivered> result = base::failure(base::Code::kSystem, "callback", "it can't be read");
  if (entry) {
    Sender& its = *senders_[sender];
    webhook::Delivery delivery = delivery_of(**entry);
    if (auto theirs = translate_ ? translate_(job_id, delivery.body) : std::nullopt) {
      delivery.body = std::move(*theirs);
      delivery.put = true;
    }
    auto deliver = [&its, delivery = std::move(delivery)] { return its.courier.deliver(delivery); };
    result = co_await its.thread.call(std::move(deliver));
  }
  Due& due = due_[job_id];
  due.taken = false;
  ++due.attempts;
  const auto asked = result ? result->retry_after : std::chrono::seconds{0};
  const auto again = webhook::retry_after(due.attempts, job_id, asked);
  const bool retry = !result || result->fate == webhook::Fate::kRetry;
  if (retry && again) {
    due.at = Clock::now() + *again;
    co_return;
  }
  if (!result || result->fate != webhook::Fate::kDelivered) {
    base::log(base::Level::kWarn, "callback_given_up",
              {{"job_id", job_id},
               {"attempts", std::to_string(due.attempts)},
               {"reason", result ? result->reason : result.error().text()}});
  }
  due_.erase(job_id);
  co_await forget(job_id);
}

}  // namespace outrigger::queue
