#include "store_sqlite/database.h"
#include "store_sqlite/job_table.h"
#include "store_sqlite/stores.h"

namespace outrigger::store {
namespace {

using sqlite::Connection;
using sqlite::Prepared;
using std::chrono::milliseconds;

// What stands in the way of a claim; nothing where the key is free. A claimant that asks again has it already.
std::optional<KeyClaim> obstacle(Connection& connection, const std::string& key, const std::string& fingerprint,
                                 const std::string& claimant) {
  Prepared select = connection.prepare(
      "SELECT fingerprint, answer FROM idempotency_keys "
      "WHERE key = ? AND expires_at_ms > ? AND NOT (claimant = ? AND answer IS NULL)");
  if (!select.text(key).number(sqlite::epoch_ms()).text(claimant).step()) return std::nullopt;
  if (select.text_at(0) != fingerprint) return KeyClaim{KeyClaim::State::kOtherBody, {}};
  if (select.is_null_at(1)) return KeyClaim{KeyClaim::State::kPending, {}};
  return KeyClaim{KeyClaim::State::kAnswered, select.text_at(1)};
}

class SqliteIdempotencyStore final : public IdempotencyStore {
 public:
  SqliteIdempotencyStore(int dir_fd, std::string name) : database_(dir_fd, std::move(name), sqlite::queue_schema()) {}

  base::Status open() override {
    return database_.run("keys_open", [](Connection&) {});
  }

  base::Result<KeyClaim> claim(const std::string& key, const std::string& fingerprint, const std::string& claimant,
                               milliseconds lease) override {
    return database_.run("keys_claim", [&](Connection& connection) {
      sqlite::WriteTransaction transaction(connection);
      if (auto taken = obstacle(connection, key, fingerprint, claimant)) return *std::move(taken);
      Prepared insert = connection.prepare("INSERT OR REPLACE INTO idempotency_keys VALUES (?, ?, ?, NULL, ?)");
      insert.text(key).text(fingerprint).text(claimant).number(sqlite::epoch_ms() + lease.count()).execute();
      transaction.commit();
      return KeyClaim{};
    });
  }

  base::Status answer(const std::string& key, const std::string& claimant, std::string_view answer,
                      std::chrono::seconds lifetime) override {
    return database_.run("keys_answer", [&](Connection& connection) {
      Prepared update = connection.prepare(
          "UPDATE idempotency_keys SET answer = ?, expires_at_ms = ? WHERE key = ? AND claimant = ?");
      update.blob(answer).number(sqlite::epoch_ms() + milliseconds(lifetime).count()).text(key).text(claimant);
      update.execute();
    });
  }

  base::Status release(const std::string& key, const std::string& claimant) override {
    return database_.run("keys_release", [&](Connection& connection) {
      Prepared remove =
          connection.prepare("DELETE FROM idempotency_keys WHERE key = ? AND claimant = ? AND answer IS NULL");
      remove.text(key).text(claimant).execute();
    });
  }

  base::Status expire(std::size_t at_most) override {
    return database_.run("keys_expire", [&](Connection& connection) {
      Prepared remove = connection.prepare(
          "DELETE FROM idempotency_keys WHERE key IN "
          "(SELECT key FROM idempotency_keys WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?)");
      remove.number(sqlite::epoch_ms()).number(static_cast<std::int64_t>(at_most)).execute();
    });
  }

 private:
  sqlite::Database database_;
};

}  // namespace

std::unique_ptr<IdempotencyStore> make_sqlite_idempotency_store(int dir_fd, std::string name) {
  return std::make_unique<SqliteIdempotencyStore>(dir_fd, std::move(name));
}

}  // namespace outrigger::store
