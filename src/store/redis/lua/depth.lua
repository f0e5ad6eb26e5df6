-- KEYS: jobs, workers, dead   ARGV: prefixes of running, taken
local waiting, running = call('LLEN', KEYS[1]), 0
for _, worker in ipairs(call('SMEMBERS', KEYS[2])) do
  running = running + call('SCARD', ARGV[1] .. worker)
  waiting = waiting + call('LLEN', ARGV[2] .. worker)
end
return {waiting, running, call('LLEN', KEYS[3])}
