#include "witness/alerts.h"

#include <chrono>
#include <utility>

#include "base/log.h"
#include "webhook/courier.h"
#include "webhook/url_rules.h"

namespace outrigger::witness {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxWaiting = 256;
constexpr int kAttempts = 3;
constexpr auto kBetweenAttempts = 1s;

}  // namespace

base::Status Alerts::check(const std::string& url) {
  if (url.empty()) return {};
  const auto rules = webhook::UrlRules::only(url);
  if (!rules) return std::unexpected(rules.error());
  return rules->check(url);
}

Alerts::Alerts(std::string url, std::string secret) : url_(std::move(url)), secret_(std::move(secret)) {
  if (!url_.empty()) thread_ = std::thread([this] { work(); });
}

Alerts::~Alerts() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Alerts::send(std::string job_id, std::string body) {
  if (url_.empty()) return;
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= kMaxWaiting) {
    ++state_.dropped;
    return;
  }
  waiting_.push_back({std::move(job_id), std::move(body)});
  changed_.notify_all();
}

Alerts::State Alerts::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Alerts::work() {
  auto rules = webhook::UrlRules::only(url_);
  if (!rules) return;  // check() has said so before
  webhook::Courier courier(std::move(*rules), {.secret = secret_, .ca_file = {}});
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    const Alert alert = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const bool sent = deliver(courier, alert);
    lock.lock();
    ++(sent ? state_.sent : state_.dropped);
  }
}

bool Alerts::deliver(webhook::Courier& courier, const Alert& alert) {
  std::string reason;
  for (int attempt = 1;; ++attempt) {
    const auto done = courier.deliver({alert.job_id, url_, alert.body});
    if (done && done->fate == webhook::Fate::kDelivered) return true;
    reason = done ? done->reason : done.error().text();
    if (attempt == kAttempts || (done && done->fate == webhook::Fate::kGivenUp)) break;
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, kBetweenAttempts, [this] { return stopped_; })) break;
  }
  base::log(base::Level::kWarn, "alert_dropped", {{"reason", reason}});
  return false;
}

}  // namespace outrigger::witness
