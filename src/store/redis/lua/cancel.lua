-- Returns the job's state; or 'taken', attempt, entry, last_failure where it was waiting and is now the worker's.
-- KEYS: jobs, job, running, results, workers, lease   ARGV: job_id, worker, lease in ms
local job = call('HMGET', KEYS[2], 'state', 'attempt', 'entry', 'last_failure')
local state, entry = job[1], job[3]
if is_final(state, KEYS[4]) then return {state == 'dead' and 'dead' or 'finished'} end
if not state then return {'unknown'} end
call('HDEL', KEYS[2], 'cancel')
-- Set in either case: should this worker vanish, the next one is to know.
call('HSET', KEYS[2], 'cancel', '1')
-- Waiting, but not in the list: some worker is just about to claim it, and will find the mark.
if state ~= 'queued' or call('LREM', KEYS[1], -1, entry) == 0 then return {'running'} end
register(KEYS[5], KEYS[6], ARGV[2], ARGV[3])
local attempt = tonumber(job[2]) + 1
call('HSET', KEYS[2], 'state', 'running', 'attempt', attempt, 'worker', ARGV[2])
call('SADD', KEYS[3], ARGV[1])
return {'taken', attempt, entry, job[4] or ''}
