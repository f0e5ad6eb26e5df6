-- KEYS: key   ARGV: claimant, answer, lifetime in s
if call('HGET', KEYS[1], 'claimant') ~= ARGV[1] then return 0 end
call('HSET', KEYS[1], 'answer', ARGV[2])
call('EXPIRE', KEYS[1], ARGV[3])
return 1
