-- Jobs promised to a shared queue, until that says that they are final.
CREATE TABLE outbox (
  id         INTEGER PRIMARY KEY,
  job_id     TEXT NOT NULL UNIQUE,
  seen_at_us INTEGER NOT NULL DEFAULT 0  -- microseconds since the epoch; 0: never put into the queue
) STRICT;
CREATE INDEX outbox_seen ON outbox (seen_at_us);

CREATE TABLE outbox_entries (
  job_id TEXT PRIMARY KEY NOT NULL,
  entry  TEXT NOT NULL
) STRICT;
