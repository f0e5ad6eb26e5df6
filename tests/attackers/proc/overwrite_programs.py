# attack: overwrites the program that runs it, or the one that will run the next job
# uses: attack.py
# expect: status=completed refusals=6
import os

from attack import done, tried

for path in ("/proc/self/exe", "/proc/1/exe", "/proc/2/exe", "/usr/bin/python3"):
    tried(f"open {path} to write", lambda: os.open(path, os.O_RDWR))
program = os.open("/proc/self/exe", os.O_RDONLY)
tried("reopen a read-only descriptor to write", lambda: os.open(f"/proc/self/fd/{program}", os.O_RDWR))
tried("link the program into scratch", lambda: os.link("/proc/self/exe", "/tmp/work/program"))
done()
