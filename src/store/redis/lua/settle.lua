-- Gives a job its one final result, where it is still the worker's: 1; 0 where it is not.
-- KEYS: job, results, running, dead
-- ARGV: job_id, attempt, worker, final state, result, lifetime in s, channel, dead entry ('': none), attempts begun
local job = call('HMGET', KEYS[1], 'state', 'attempt', 'worker')
if is_final(job[1], KEYS[2]) or not is_theirs(job[1], job[2], job[3], ARGV[2], ARGV[3]) then return 0 end
call('HDEL', KEYS[1], 'entry', 'cancel', 'last_failure')
call('HSET', KEYS[1], 'state', ARGV[4], 'attempt', ARGV[9], 'worker', ARGV[3])
call('EXPIRE', KEYS[1], ARGV[6])
call('SET', KEYS[2], ARGV[5], 'EX', ARGV[6])
call('SREM', KEYS[3], ARGV[1])
if ARGV[8] ~= '' then call('LPUSH', KEYS[4], ARGV[8]) end
call('PUBLISH', ARGV[7], ARGV[1])
return 1
