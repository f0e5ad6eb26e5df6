# attack: an orphan holds standard output open after the main process ended, to keep the answer waiting
# alone: yes
# limits: wall_time_ms=5000
# expect: status=completed stdout=hi max_wall_ms=4000
(setsid sleep 30 &)
(trap '' TERM HUP INT PIPE; exec sleep 30 &)
echo hi
