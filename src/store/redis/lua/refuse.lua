-- An entry that is no job goes from the worker's list to the dead, once.
-- KEYS: taken, dead   ARGV: the entry or its beginning, its whole size, dead entry
local entry, size = ARGV[1], tonumber(ARGV[2])
if #entry ~= size then
  local beginning = entry
  entry = nil
  for _, one in ipairs(call('LRANGE', KEYS[1], 0, -1)) do
    if #one == size and one:sub(1, #beginning) == beginning then entry = one end
  end
  if not entry then return 0 end
end
if call('LREM', KEYS[1], -1, entry) == 0 then return 0 end
call('LPUSH', KEYS[2], ARGV[3])
return 1
