-- Moves up to `max` entries to the worker's own list, oldest first, and returns size and text of each; of those larger
-- than `largest` only the first `sample` bytes. What a failed call left in the worker's list comes first.
-- KEYS: jobs, taken, workers, lease   ARGV: worker, lease in ms, max, largest, sample
register(KEYS[3], KEYS[4], ARGV[1], ARGV[2])
local max, largest, sample = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local found, bytes = {}, 0
local function add(entry)
  local text = #entry > largest and entry:sub(1, sample) or entry
  found[#found + 1] = #entry
  found[#found + 1] = text
  bytes = bytes + #text
end
-- Not more at once than about twice the largest, whatever `max` says.
local function has_room() return #found < 2 * max and bytes < largest end

local left = call('LLEN', KEYS[2])
for i = 1, left do
  if not has_room() then break end
  add(call('LINDEX', KEYS[2], -i))
end
while has_room() do
  local entry = call('LMOVE', KEYS[1], KEYS[2], 'RIGHT', 'LEFT')
  if not entry then break end
  add(entry)
end
return found
