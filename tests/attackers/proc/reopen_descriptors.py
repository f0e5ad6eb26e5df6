# attack: reopens what it was given, through /proc, with other rights or to get at what lies behind
# uses: attack.py
# expect: status=completed refusals=9
import os
import stat

from attack import done, expect, tried

held = sorted(int(name) for name in os.listdir("/proc/self/fd"))
listing = held.pop()  # the one that listed the directory
expect("only 0, 1 and 2 are open", held == [0, 1, 2] and listing == 3, held)
for fd in range(3, 1024):
    try:
        os.fstat(fd)
    except OSError:
        continue
    expect("every descriptor from 3 on is closed", False, fd)
    break
else:
    expect("every descriptor from 3 on is closed", True)
for fd in (0, 1, 2):
    mode = os.fstat(fd).st_mode
    expect(f"{fd} is a pipe", stat.S_ISFIFO(mode), oct(mode))
target = os.readlink("/proc/self/fd/1")
expect("standard output's name tells no path", target.startswith("pipe:["), target)
tried("stdin as a directory", lambda: os.open("/proc/self/fd/0/..", os.O_RDONLY))
root, cwd = os.readlink("/proc/self/root"), os.readlink("/proc/self/cwd")
expect("root and working directory are the jail's", (root, cwd) == ("/", "/tmp/work"), (root, cwd))
tried("shadow through root", lambda: os.open("/proc/self/root/../../../etc/shadow", os.O_RDONLY))
done()
