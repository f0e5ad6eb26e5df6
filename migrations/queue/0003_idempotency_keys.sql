CREATE TABLE idempotency_keys (
  key           TEXT PRIMARY KEY NOT NULL,
  fingerprint   TEXT NOT NULL,     -- of the request
  claimant      TEXT NOT NULL,     -- whose answer is waited for
  answer        BLOB,              -- NULL: not yet
  expires_at_ms INTEGER NOT NULL   -- since the epoch; free from then on
) STRICT;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at_ms);
