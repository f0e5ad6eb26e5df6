-- One row a job. Times in milliseconds carry microseconds as decimals; what the kernel did not count is NULL.
-- Ids sort by their bytes, as they do everywhere else in Outrigger.
CREATE TABLE execution_runs (
  job_id            text COLLATE "C" PRIMARY KEY,
  tenant_id         text COLLATE "C" NOT NULL,
  language          text COLLATE "C" NOT NULL,
  code_sha256       text COLLATE "C" NOT NULL,
  code_bytes        bigint NOT NULL,
  status            text COLLATE "C" NOT NULL,
  exit_code         integer,
  signal            text,
  cause_code        text NOT NULL,
  cause_text        text NOT NULL,
  wall_time_ms      double precision NOT NULL,
  queue_time_ms     double precision NOT NULL,
  cpu_time_ms       double precision,
  throttled_time_ms double precision,
  nr_periods        bigint,
  nr_throttled      bigint,
  peak_memory_bytes bigint,
  oom_kills         bigint,
  memory_max_events bigint,
  pids_peak         bigint,
  pids_limit_hits   bigint,
  stdout_bytes      bigint NOT NULL,
  stderr_bytes      bigint NOT NULL,
  stdout_truncated  boolean NOT NULL,
  stderr_truncated  boolean NOT NULL,
  security_events   jsonb NOT NULL,  -- as in a job's answer
  limits            jsonb NOT NULL,  -- as in a job's answer
  command           text NOT NULL,
  node              text NOT NULL,
  cgroup_driver     text,
  origin            text NOT NULL,
  attempt           bigint NOT NULL,
  received_at       timestamptz NOT NULL,
  started_at        timestamptz NOT NULL,
  ended_at          timestamptz NOT NULL,
  recorded_at       timestamptz NOT NULL DEFAULT clock_timestamp()  -- when the row came in
);

CREATE INDEX execution_runs_newest ON execution_runs (started_at, job_id);
CREATE INDEX execution_runs_of_tenant ON execution_runs (tenant_id, started_at, job_id);
CREATE INDEX execution_runs_ended ON execution_runs (ended_at);
