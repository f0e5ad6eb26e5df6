-- Makes the worker's own what it has taken: 1, attempt, cancel, last_failure; or 0 where the entry is dropped, or gone
-- since the worker was given up and its entries went back.
-- KEYS: taken, job, running, results
-- ARGV: entry as taken, job_id, entry with the id in it ('': the same), worker, prefix of leases, prefix of running
if call('LREM', KEYS[1], -1, ARGV[1]) == 0 then return {0} end
local job = call('HMGET', KEYS[2], 'state', 'attempt', 'worker', 'cancel', 'last_failure')
local state, holder = job[1], job[3]
if is_final(state, KEYS[4]) then return {0} end
local attempt, failure = tonumber(job[2] or '0') or 0, job[5] or ''
if state == 'running' then
  if holder == ARGV[4] or call('EXISTS', ARGV[5] .. holder) == 1 then return {0} end
  call('SREM', ARGV[6] .. holder, ARGV[2])
  failure = vanished(holder, attempt)
end
attempt = attempt + 1
call('HSET', KEYS[2], 'state', 'running', 'attempt', attempt, 'worker', ARGV[4], 'last_failure', failure,
     'entry', ARGV[3] == '' and ARGV[1] or ARGV[3])
call('SADD', KEYS[3], ARGV[2])
return {1, attempt, job[4] or '0', failure}
