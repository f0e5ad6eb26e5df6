#include "api/key_keeper.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <utility>

#include "api/error_response.h"
#include "base/ids.h"
#include "base/log.h"
#include "digest/digest.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::hours kLifetime{24};
// Beyond what the work may take, so that a claim outlives its request and not its daemon.
constexpr std::chrono::milliseconds kLeaseMargin = 10s;
constexpr std::chrono::milliseconds kPollPending = 20ms;
constexpr std::chrono::milliseconds kPollPendingMax = 500ms;
constexpr std::chrono::minutes kForgetEvery{10};
constexpr int kTooManyRequests = 429;
constexpr std::size_t kForgetAtOnce = 1000;

// An answer as it is kept: its status, a space, its body.
std::string kept_text(const Response& response) { return std::to_string(response.status) + ' ' + response.body; }

std::optional<Response> from_kept(std::string_view text) {
  Response response;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), response.status);
  const auto used = static_cast<std::size_t>(end - text.data());
  if (ec != std::errc{} || used >= text.size() || response.status < 200 || response.status > 499) return std::nullopt;
  response.body = text.substr(used + 1);
  response.headers.emplace_back("Idempotency-Replayed", "true");
  return response;
}

Response away(const base::Error& error) {
  base::log(base::Level::kWarn, "idempotency_unavailable", {{"error", error.text()}});
  return error_response(Problem::kUnavailable,
                        "idempotency keys can't be looked up at the moment; nothing was done; try again later",
                        "Idempotency-Key");
}

}  // namespace

KeyKeeper::KeyKeeper(const asio::any_io_executor& executor, std::unique_ptr<store::IdempotencyStore> store)
    : executor_(executor), store_(std::move(store)), sleeper_(executor) {}

asio::awaitable<Response> KeyKeeper::answer(Use use, std::function<asio::awaitable<Response>()> work) {
  const std::string key = digest::sha256_hex(use.scope + '\n' + use.key);
  const std::string fingerprint = digest::sha256_hex(use.body);
  const std::string claimant = base::new_job_id();
  const auto give_up = std::chrono::steady_clock::now() + use.longest;
  std::chrono::milliseconds pause = kPollPending;
  for (;;) {
    auto claim = [this, key, fingerprint, claimant, lease = use.longest + kLeaseMargin] {
      return store_->claim(key, fingerprint, claimant, lease);
    };
    const auto claimed = co_await thread_.call(std::move(claim));
    if (!claimed) co_return away(claimed.error());
    if (claimed->state == store::KeyClaim::State::kOtherBody) {
      co_return error_response(Problem::kConflict, "this Idempotency-Key was used with another request",
                               "Idempotency-Key");
    }
    if (claimed->state == store::KeyClaim::State::kClaimed) {
      Response response = co_await work_and_keep(key, claimant, std::move(work));
      co_return response;
    }
    if (claimed->state == store::KeyClaim::State::kAnswered) {
      auto kept = from_kept(claimed->answer);
      if (kept) co_return std::move(*kept);
      co_return error_response(Problem::kConflict, "the answer kept under this Idempotency-Key can't be read",
                               "Idempotency-Key");
    }
    if (std::chrono::steady_clock::now() >= give_up) break;
    asio::steady_timer wait(executor_, pause);
    co_await wait.async_wait(kResult);
    pause = std::min(pause * 2, kPollPendingMax);
  }
  co_return error_response(Problem::kConflict, "the first request with this Idempotency-Key is still being worked on",
                           "Idempotency-Key");
}

asio::awaitable<Response> KeyKeeper::work_and_keep(std::string key, std::string claimant,
                                                   std::function<asio::awaitable<Response>()> work) {
  Response response = co_await work();
  if (response.status >= 500 || response.status == kTooManyRequests) {
    auto release = [this, key, claimant] { return store_->release(key, claimant); };
    const base::Status released = co_await thread_.call(std::move(release));
    if (!released) base::log(base::Level::kWarn, "idempotency_not_released", {{"error", released.error().text()}});
    co_return response;
  }
  auto keep = [this, key, claimant, text = kept_text(response)] {
    return store_->answer(key, claimant, text, kLifetime);
  };
  const base::Status kept = co_await thread_.call(std::move(keep));
  if (!kept) base::log(base::Level::kWarn, "idempotency_not_kept", {{"error", kept.error().text()}});
  co_return response;
}

asio::awaitable<void> KeyKeeper::forget() {
  while (!sleeper_.stopped()) {
    auto expire = [this] { return store_->expire(kForgetAtOnce); };
    const base::Status done = co_await thread_.call(std::move(expire));
    if (!done) base::log(base::Level::kDebug, "idempotency_not_expired", {{"error", done.error().text()}});
    co_await sleeper_.sleep(kForgetEvery);
  }
}

void KeyKeeper::stop() { sleeper_.stop(); }

}  // namespace outrigger::api
