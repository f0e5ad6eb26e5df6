#include "store_postgres/database.h"

namespace outrigger::store {
namespace {

using postgres::Call;
using postgres::Parameter;
using std::chrono::milliseconds;

// Times are the server's, since several daemons share the keys. A claimant that asks again has the key already.
constexpr const char* kClaim =
    "INSERT INTO idempotency_keys AS old VALUES ($1, $2, $3, NULL, clock_timestamp() + $4::bigint * interval '1 ms') "
    "ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint, claimant = excluded.claimant, answer = NULL, "
    "expires_at = excluded.expires_at "
    "WHERE old.expires_at <= clock_timestamp() OR (old.claimant = excluded.claimant AND old.answer IS NULL)";

// Hexadecimal, since that is how bytes come in a result of texts.
std::string from_hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(kDigits.find(text[i]) << 4 | kDigits.find(text[i + 1]));
  }
  return bytes;
}

// What stands in the way of a claim; nothing where it has gone meanwhile.
base::Result<std::optional<KeyClaim>> obstacle(Call& call, const std::string& key, const std::string& fingerprint) {
  const std::vector<Parameter> parameters{{key}};
  const auto found = call.query(
      "SELECT fingerprint, encode(answer, 'hex') FROM idempotency_keys WHERE key = $1 AND expires_at > "
      "clock_timestamp()",
      parameters);
  if (!found) return std::unexpected(found.error());
  if (found->rows() == 0) return std::nullopt;
  if (found->text_at(0, 0) != fingerprint) return KeyClaim{KeyClaim::State::kOtherBody, {}};
  const auto answer = found->text_at(0, 1);
  if (!answer) return KeyClaim{KeyClaim::State::kPending, {}};
  return KeyClaim{KeyClaim::State::kAnswered, from_hex(*answer)};
}

class PostgresIdempotencyStore final : public IdempotencyStore {
 public:
  PostgresIdempotencyStore(std::string url, PostgresOptions options) : database_(std::move(url), options) {}

  base::Status open() override {
    const auto call = database_.call("keys_open");
    if (!call) return std::unexpected(call.error());
    return {};
  }

  base::Result<KeyClaim> claim(const std::string& key, const std::string& fingerprint, const std::string& claimant,
                               milliseconds lease) override {
    auto call = database_.call("keys_claim");
    if (!call) return std::unexpected(call.error());
    const std::vector<Parameter> parameters{{key}, {fingerprint}, {claimant}, {std::to_string(lease.count())}};
    constexpr int kTries = 3;  // the obstacle may go between our two looks
    for (int i = 0; i < kTries; ++i) {
      const auto claimed = call->query(kClaim, parameters);
      if (!claimed) return std::unexpected(claimed.error());
      if (claimed->affected() == 1) return KeyClaim{};
      const auto looked = obstacle(*call, key, fingerprint);
      if (!looked) return std::unexpected(looked.error());
      if (const auto& taken = *looked) return *taken;
    }
    return KeyClaim{KeyClaim::State::kPending, {}};
  }

  base::Status answer(const std::string& key, const std::string& claimant, std::string_view answer,
                      std::chrono::seconds lifetime) override {
    return change("keys_answer",
                  "UPDATE idempotency_keys SET answer = $1::bytea, "
                  "expires_at = clock_timestamp() + $2::bigint * interval '1 s' WHERE key = $3 AND claimant = $4",
                  {{std::string(answer), true}, {std::to_string(lifetime.count())}, {key}, {claimant}});
  }

  base::Status release(const std::string& key, const std::string& claimant) override {
    return change("keys_release", "DELETE FROM idempotency_keys WHERE key = $1 AND claimant = $2 AND answer IS NULL",
                  {{key}, {claimant}});
  }

  base::Status expire(std::size_t at_most) override {
    return change("keys_expire",
                  "DELETE FROM idempotency_keys WHERE key IN (SELECT key FROM idempotency_keys "
                  "WHERE expires_at <= clock_timestamp() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)",
                  {{std::to_string(at_most)}});
  }

 private:
  base::Status change(std::string_view step, const std::string& sql, const std::vector<Parameter>& parameters) {
    auto call = database_.call(step);
    if (!call) return std::unexpected(call.error());
    const auto changed = call->query(sql, parameters);
    if (!changed) return std::unexpected(changed.error());
    return {};
  }

  postgres::Database database_;
};

}  // namespace

std::unique_ptr<IdempotencyStore> make_postgres_idempotency_store(std::string url, PostgresOptions options) {
  return std::make_unique<PostgresIdempotencyStore>(std::move(url), options);
}

}  // namespace outrigger::store
