#include "store_redis/idempotency.h"

#include <algorithm>
#include <utility>

namespace outrigger::store_redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kLargestReply = 256UL << 20U;

base::Status done(const base::Result<Reply>& reply) {
  if (!reply) return std::unexpected(reply.error());
  return {};
}

}  // namespace

RedisIdempotencyStore::RedisIdempotencyStore(RedisOptions options, const Address& address)
    : options_(std::move(options)), keys_(options_.prefix, {}), session_(address, kLargestReply) {}

base::Result<Reply> RedisIdempotencyStore::run(ScriptCall call) {
  return session_.run_one(std::move(call), std::chrono::steady_clock::now() + options_.command_deadline);
}

base::Status RedisIdempotencyStore::open() {
  Commands commands;
  commands.add({"PING"});
  const auto replies = session_.run(commands, std::chrono::steady_clock::now() + options_.command_deadline);
  if (!replies) return std::unexpected(replies.error());
  return {};
}

base::Result<store::KeyClaim> RedisIdempotencyStore::claim(const std::string& key, const std::string& fingerprint,
                                                           const std::string& claimant, milliseconds lease) {
  using State = store::KeyClaim::State;
  const auto reply = run({&scripts::kKeyClaim,
                          {keys_.idempotency_prefix + key},
                          {fingerprint, claimant, std::to_string(std::max(lease, milliseconds(1)).count())}});
  if (!reply) return std::unexpected(reply.error());
  const std::string_view word = text_at(**reply, 0);
  if (word == "claimed") return store::KeyClaim{State::kClaimed, {}};
  if (word == "pending") return store::KeyClaim{State::kPending, {}};
  if (word == "answered") return store::KeyClaim{State::kAnswered, std::string(text_at(**reply, 1))};
  if (word == "other") return store::KeyClaim{State::kOtherBody, {}};
  return base::failure(base::Code::kSystem, "redis_command", "key_claim: an answer of another form");
}

base::Status RedisIdempotencyStore::answer(const std::string& key, const std::string& claimant, std::string_view answer,
                                           seconds lifetime) {
  return done(run({&scripts::kKeyAnswer,
                   {keys_.idempotency_prefix + key},
                   {claimant, std::string(answer), std::to_string(std::max(lifetime, seconds(1)).count())}}));
}

base::Status RedisIdempotencyStore::release(const std::string& key, const std::string& claimant) {
  return done(run({&scripts::kKeyRelease, {keys_.idempotency_prefix + key}, {claimant}}));
}

}  // namespace outrigger::store_redis
