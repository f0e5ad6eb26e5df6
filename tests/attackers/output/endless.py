# attack: writes without end, to fill the memory of whoever reads
# limits: wall_time_ms=1500
# expect: status=timeout event=output_truncated truncated=stdout stdout_kept=524288
import os

block = b"x" * 65536
while True:
    os.write(1, block)
