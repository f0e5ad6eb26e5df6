-- KEYS: jobs, job, results   ARGV: entry
if call('EXISTS', KEYS[2], KEYS[3]) > 0 then return 0 end
call('HSET', KEYS[2], 'state', 'queued', 'attempt', '0', 'entry', ARGV[1])
call('LPUSH', KEYS[1], ARGV[1])
return 1
