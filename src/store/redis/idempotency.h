#pragma once

#include "store/idempotency_store.h"
#include "store_redis/keys.h"
#include "store_redis/redis.h"
#include "store_redis/session.h"

namespace outrigger::store_redis {

// A hash a key; Redis itself forgets what has outlived its lease or its lifetime.
class RedisIdempotencyStore final : public store::IdempotencyStore {
 public:
  RedisIdempotencyStore(RedisOptions options, const Address& address);

  base::Status open() override;
  base::Result<store::KeyClaim> claim(const std::string& key, const std::string& fingerprint,
                                      const std::string& claimant, std::chrono::milliseconds lease) override;
  base::Status answer(const std::string& key, const std::string& claimant, std::string_view answer,
                      std::chrono::seconds lifetime) override;
  base::Status release(const std::string& key, const std::string& claimant) override;
  base::Status expire(std::size_t) override { return {}; }

 private:
  base::Result<Reply> run(ScriptCall call);

  RedisOptions options_;
  Keys keys_;
  Session session_;
};

}  // namespace outrigger::store_redis
