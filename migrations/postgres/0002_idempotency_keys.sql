CREATE TABLE idempotency_keys (
  key         text COLLATE "C" PRIMARY KEY,
  fingerprint text NOT NULL,         -- of the request
  claimant    text NOT NULL,         -- whose answer is waited for
  answer      bytea,                 -- NULL: not yet
  expires_at  timestamptz NOT NULL   -- free from then on
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
