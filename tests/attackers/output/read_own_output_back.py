# attack: opens its output pipe for reading and its input pipe for writing, to swallow what its keeper waits for
# limits: wall_time_ms=3000
# stdin: zeros:100000
# expect: status=completed max_wall_ms=2900
import os
import threading

try:
    reader = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
except OSError:
    os._exit(0)
for _ in range(100):
    os.write(1, b"x" * 1000)
    try:
        os.read(reader, 1000)
        os.write(writer, b"y" * 1000)
    except BlockingIOError:
        pass
threading.Thread(target=os.read, args=(reader, 1000000), daemon=True).start()
os._exit(0)
