-- The trace a job belongs to (W3C Trace Context): 32 hexadecimal digits, NULL where its request named none.
ALTER TABLE execution_runs ADD COLUMN trace_id text;
