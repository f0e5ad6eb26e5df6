-- Returns to the queue what a failed call has left in the worker's own list.
-- KEYS: taken, jobs
while call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT') do end
return 1
