# attack: looks in /dev for anything of the host's
# uses: attack.py
# expect: status=completed refusals=16
import os
import stat
import subprocess

from attack import done, expect, tried

DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9)}
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
expect("/dev holds what the contract names", sorted(os.listdir("/dev")) == sorted([*DEVICES, *LINKS, "shm"]),
       sorted(os.listdir("/dev")))
for name, number in DEVICES.items():
    info = os.stat(f"/dev/{name}")
    expect(f"{name} is that device", stat.S_ISCHR(info.st_mode) and
           (os.major(info.st_rdev), os.minor(info.st_rdev)) == number, info)
for name, target in LINKS.items():
    expect(f"{name} points into /proc", os.readlink(f"/dev/{name}") in (target, target.removeprefix("/proc/self/")),
           os.readlink(f"/dev/{name}"))
tried("a new name in /dev", lambda: os.open("/dev/mine", os.O_CREAT | os.O_WRONLY))
tried("removing /dev/null", lambda: os.unlink("/dev/null"))
tried("changing /dev/null", lambda: os.chmod("/dev/null", 0o600))
tried("owning /dev/null", lambda: os.chown("/dev/null", 1000, 1000))
tried("opening a terminal", lambda: os.open("/dev/tty", os.O_RDWR))
with open("/dev/shm/script", "w", encoding="utf-8") as script:
    script.write("#!/bin/true\n")
os.chmod("/dev/shm/script", 0o755)
tried("executing from /dev/shm", lambda: subprocess.run(["/dev/shm/script"], check=True))
done()
