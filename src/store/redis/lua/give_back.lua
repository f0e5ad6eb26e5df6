-- Returns a job to the head of the queue, where it is still the worker's: 1; 0 where it is not.
-- KEYS: job, results, running, jobs
-- ARGV: job_id, attempt, worker, whether the attempt counts (1, 0), reason ('': the one before stays),
--       entry for a job that Redis has forgotten
local job = call('HMGET', KEYS[1], 'state', 'attempt', 'worker', 'entry')
if is_final(job[1], KEYS[2]) or not is_theirs(job[1], job[2], job[3], ARGV[2], ARGV[3]) then return 0 end
local entry = job[4] or ARGV[6]
if entry == '' then return 0 end
call('SREM', KEYS[3], ARGV[1])
local attempt = tonumber(ARGV[2])
if ARGV[4] == '0' then attempt = attempt - 1 end
call('HSET', KEYS[1], 'state', 'queued', 'attempt', attempt, 'worker', '', 'entry', entry)
if ARGV[5] ~= '' then call('HSET', KEYS[1], 'last_failure', ARGV[5]) end
call('RPUSH', KEYS[4], entry)
return 1
