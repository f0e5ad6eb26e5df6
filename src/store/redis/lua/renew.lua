-- Prolongs the worker's lease. Returns how many entries lie in its list unclaimed; how each job stands that it says it
-- runs (ours, cancelled, lost, forgotten); and of those it holds here without saying so, id and attempt.
-- KEYS: workers, lease, running, taken
-- ARGV: worker, lease in ms, prefix of jobs, prefix of results, then id and attempt of each job
register(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
local standing, said, unsaid = {}, {}, {}
local function stands(id, attempt)
  local job = call('HMGET', ARGV[3] .. id, 'state', 'attempt', 'worker', 'cancel')
  if is_final(job[1], ARGV[4] .. id) then return 'lost' end
  if not job[1] then return 'forgotten' end
  if not is_theirs(job[1], job[2], job[3], attempt, ARGV[1]) then return 'lost' end
  return job[4] == '1' and 'cancelled' or 'ours'
end
for i = 5, #ARGV, 2 do
  said[ARGV[i]] = true
  standing[#standing + 1] = stands(ARGV[i], ARGV[i + 1])
end
for _, id in ipairs(call('SMEMBERS', KEYS[3])) do
  if not said[id] then
    unsaid[#unsaid + 1] = id
    unsaid[#unsaid + 1] = call('HGET', ARGV[3] .. id, 'attempt') or '0'
  end
end
return {call('LLEN', KEYS[4]), standing, unsaid}
