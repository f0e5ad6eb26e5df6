-- KEYS: job, results
local job = call('HMGET', KEYS[1], 'state', 'attempt', 'cancel', 'worker', 'entry')
return {job[1], job[2], job[3], job[4], job[5], call('GET', KEYS[2])}
