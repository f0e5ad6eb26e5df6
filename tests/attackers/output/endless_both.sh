# attack: writes without end to both streams at once, from several processes
# limits: wall_time_ms=1500
# expect: status=timeout event=output_truncated truncated=stdout,stderr stdout_kept=524288 stderr_kept=524288
for i in 1 2; do yes "stdout $i" & yes "stderr $i" >&2 & done
wait
