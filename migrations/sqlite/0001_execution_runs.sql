-- One row a job. Times in milliseconds carry microseconds as decimals; what the kernel did not count is NULL; points in
-- time are UTC with microseconds and of one length, so that they sort as text.
CREATE TABLE execution_runs (
  job_id            TEXT PRIMARY KEY NOT NULL,
  tenant_id         TEXT NOT NULL,
  language          TEXT NOT NULL,
  code_sha256       TEXT NOT NULL,
  code_bytes        INTEGER NOT NULL,
  status            TEXT NOT NULL,
  exit_code         INTEGER,
  signal            TEXT,
  cause_code        TEXT NOT NULL,
  cause_text        TEXT NOT NULL,
  wall_time_ms      REAL NOT NULL,
  queue_time_ms     REAL NOT NULL,
  cpu_time_ms       REAL,
  throttled_time_ms REAL,
  nr_periods        INTEGER,
  nr_throttled      INTEGER,
  peak_memory_bytes INTEGER,
  oom_kills         INTEGER,
  memory_max_events INTEGER,
  pids_peak         INTEGER,
  pids_limit_hits   INTEGER,
  stdout_bytes      INTEGER NOT NULL,
  stderr_bytes      INTEGER NOT NULL,
  stdout_truncated  INTEGER NOT NULL,
  stderr_truncated  INTEGER NOT NULL,
  security_events   TEXT NOT NULL,  -- JSON, as in a job's answer
  limits            TEXT NOT NULL,  -- JSON, as in a job's answer
  command           TEXT NOT NULL,
  node              TEXT NOT NULL,
  cgroup_driver     TEXT,
  origin            TEXT NOT NULL,
  attempt           INTEGER NOT NULL,
  received_at       TEXT NOT NULL,
  started_at        TEXT NOT NULL,
  ended_at          TEXT NOT NULL,
  recorded_at       TEXT NOT NULL   -- when the row came in
) STRICT;

CREATE INDEX execution_runs_newest ON execution_runs (started_at, job_id);
CREATE INDEX execution_runs_of_tenant ON execution_runs (tenant_id, started_at, job_id);
CREATE INDEX execution_runs_ended ON execution_runs (ended_at);
