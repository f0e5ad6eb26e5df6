# attack: the classic fork bomb of a shell
# alone: yes
# limits: wall_time_ms=1500
# why: the main shell either waits for its children until the watchdog comes, or gives up on EAGAIN
# expect: status=timeout event=pids_limit
# expect-or: status=failed event=pids_limit
bomb() { bomb | bomb & }
bomb
while true; do sleep 10; done
