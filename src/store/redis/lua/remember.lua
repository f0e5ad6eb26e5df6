-- Writes down anew a job that the worker runs and that Redis has forgotten: 1; 0 where somebody else has meanwhile.
-- KEYS: job, results, running   ARGV: job_id, attempt, worker, entry
if call('EXISTS', KEYS[1], KEYS[2]) > 0 then return 0 end
call('SREM', KEYS[3], '')  -- removes nothing: the first write takes no memory
call('HSET', KEYS[1], 'state', 'running', 'attempt', ARGV[2], 'worker', ARGV[3], 'entry', ARGV[4])
call('SADD', KEYS[3], ARGV[1])
return 1
