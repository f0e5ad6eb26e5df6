# attack: sets flags of the descriptors it shares with its keeper (as the ends of one pipe would be)
# expect: status=completed stdout=done
import fcntl
import os

for fd in (0, 1, 2):
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    try:
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, 4096)
        fcntl.fcntl(fd, fcntl.F_SETOWN, 1)
    except OSError:
        pass
os.write(1, b"done\n")
