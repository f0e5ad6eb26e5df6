-- Stands before each of the other scripts. Two rules hold in all of them.
-- A worker's script begins with a call that takes no memory: once a script has written, Redis at its memory limit lets
-- it go on (deny-oom is judged at the first write only), so that a full queue can still be worked off.
-- Keys that are only known once the script runs are made from prefixes in ARGV: one server, not a cluster.
local call = redis.call

local function is_final(state, results_key)
  return state == 'finished' or state == 'dead' or call('EXISTS', results_key) == 1
end

-- Whether the attempt that asks may still decide what becomes of the job. No state: Redis has lost its memory.
local function is_theirs(state, attempt, holder, asking_attempt, asking_worker)
  return not state or (state == 'running' and attempt == asking_attempt and holder == asking_worker)
end

local function vanished(worker, attempt)
  return 'worker ' .. worker .. ' vanished while attempt ' .. attempt .. ' ran'
end

-- A worker that holds anything is among the workers, and has a lease.
local function register(workers_key, lease_key, worker, lease_ms)
  call('PEXPIRE', lease_key, lease_ms)
  call('SET', lease_key, '1', 'PX', lease_ms)
  call('SADD', workers_key, worker)
end

