-- KEYS: key   ARGV: fingerprint, claimant, lease in ms
local known = call('HMGET', KEYS[1], 'fingerprint', 'claimant', 'answer')
if known[1] and known[1] ~= ARGV[1] then return {'other'} end
if known[3] then return {'answered', known[3]} end
if known[1] and known[2] ~= ARGV[2] then return {'pending'} end
call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'claimant', ARGV[2])
call('PEXPIRE', KEYS[1], ARGV[3])
return {'claimed'}
