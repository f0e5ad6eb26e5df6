-- KEYS: key   ARGV: claimant
local known = call('HMGET', KEYS[1], 'claimant', 'answer')
if known[1] ~= ARGV[1] or known[2] then return 0 end
return call('DEL', KEYS[1])
