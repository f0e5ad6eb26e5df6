-- Returns to the queue what workers hold that have vanished: all whose lease has run out, but for the one that asks; or
-- only that one, when its process has just begun. How many jobs.
-- KEYS: workers, jobs
-- ARGV: worker, 'others' or 'own', prefixes of leases, taken, running, jobs
local count = 0

local function return_taken(worker)
  -- Newest first, so that the oldest comes to stand at the head.
  while call('LMOVE', ARGV[4] .. worker, KEYS[2], 'LEFT', 'RIGHT') do count = count + 1 end
end

local function return_running(worker)
  local running = ARGV[5] .. worker
  local ids = call('SMEMBERS', running)
  call('DEL', running)
  table.sort(ids, function(a, b) return a > b end)  -- ids of ours sort by time
  for _, id in ipairs(ids) do
    local job = call('HMGET', ARGV[6] .. id, 'state', 'attempt', 'worker', 'entry')
    if job[1] == 'running' and job[3] == worker and job[4] then
      call('HSET', ARGV[6] .. id, 'state', 'queued', 'worker', '', 'last_failure', vanished(worker, job[2]))
      call('RPUSH', KEYS[2], job[4])
      count = count + 1
    end
  end
end

local function give_up(worker)
  call('SREM', KEYS[1], worker)
  return_taken(worker)
  return_running(worker)
end

if ARGV[2] == 'own' then
  give_up(ARGV[1])
else
  for _, worker in ipairs(call('SMEMBERS', KEYS[1])) do
    if worker ~= ARGV[1] and call('EXISTS', ARGV[3] .. worker) == 0 then give_up(worker) end
  end
end
return count
