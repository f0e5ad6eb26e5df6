-- The durable queue of one daemon. What is large stands apart from what changes often.
CREATE TABLE jobs (
  job_id           TEXT PRIMARY KEY NOT NULL,
  position         INTEGER NOT NULL,           -- the smallest is taken first
  running          INTEGER NOT NULL DEFAULT 0,
  attempt          INTEGER NOT NULL DEFAULT 0,  -- how many were begun
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  last_failure     TEXT NOT NULL DEFAULT '',
  worker           TEXT NOT NULL DEFAULT '',    -- of a running job
  process          TEXT NOT NULL DEFAULT '',    -- of a running job: names the process, for as long as it lives
  lease_until_ms   INTEGER NOT NULL DEFAULT 0   -- by that process's monotonic clock
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_waiting ON jobs (position) WHERE running = 0;
CREATE INDEX jobs_running ON jobs (process) WHERE running = 1;

CREATE TABLE job_entries (
  job_id TEXT PRIMARY KEY NOT NULL,
  entry  TEXT NOT NULL
) STRICT;

CREATE TABLE job_results (
  job_id        TEXT PRIMARY KEY NOT NULL,
  dead          INTEGER NOT NULL,
  attempt       INTEGER NOT NULL,
  worker        TEXT NOT NULL,
  result        TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL  -- since the epoch
) STRICT;
CREATE INDEX job_results_expiry ON job_results (expires_at_ms);

CREATE TABLE dead_jobs (
  id      INTEGER PRIMARY KEY,
  job_id  TEXT NOT NULL,
  entry   TEXT NOT NULL,
  reason  TEXT NOT NULL,
  died_at TEXT NOT NULL
) STRICT;
