# attack: looks for anything that its keepers forgot to take away or to reset before they let it run
# uses: attack.py
# expect: status=completed refusals=31
import locale
import os
import signal
import socket
import sys
import time

from attack import done, expect

status = {}
with open("/proc/self/status", encoding="ascii") as file:
    for line in file:
        name, _, value = line.partition(":")
        status[name] = value.strip()

for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
    expect(f"{name} is empty", int(status[name], 16) == 0, status[name])
expect("no_new_privs", status["NoNewPrivs"] == "1", status["NoNewPrivs"])
expect("seccomp filter", status["Seccomp"] == "2", status["Seccomp"])
expect("uid", status["Uid"].split() == ["1000"] * 4, status["Uid"])
expect("gid", status["Gid"].split() == ["1000"] * 4, status["Gid"])
expect("no supplementary groups", status["Groups"] == "" and os.getgroups() == [], os.getgroups())
expect("no blocked signal", int(status["SigBlk"], 16) == 0, status["SigBlk"])
# Python itself ignores SIGPIPE and SIGXFSZ, and catches SIGINT.
python_ignores = (1 << signal.SIGPIPE - 1) | (1 << signal.SIGXFSZ - 1)
expect("no ignored signal", int(status["SigIgn"], 16) & ~python_ignores == 0, status["SigIgn"])
expect("no caught signal", int(status["SigCgt"], 16) & ~(1 << signal.SIGINT - 1) == 0, status["SigCgt"])
expect("no pending signal", int(status["SigPnd"], 16) | int(status["ShdPnd"], 16) == 0, status["ShdPnd"])
expect("one thread", status["Threads"] == "1", status["Threads"])
expect("not traced", status["TracerPid"] == "0", status["TracerPid"])
expect("not pid 1", os.getpid() != 1, os.getpid())
# The parent of a forked interpreter is its template, which no jail can see.
expect("its parent is in the jail, or out of sight", os.getppid() in (0, 1), os.getppid())
mask = os.umask(0o77)
expect("umask", mask == 0o022, oct(mask))
expect("nice", os.getpriority(os.PRIO_PROCESS, 0) == 0, os.getpriority(os.PRIO_PROCESS, 0))
expect("scheduler", os.sched_getscheduler(0) == os.SCHED_OTHER, os.sched_getscheduler(0))
expect("host name", socket.gethostname() == "sandbox", socket.gethostname())
expect("working directory", os.getcwd() == "/tmp/work", os.getcwd())
expect("home", os.environ.get("HOME") == "/tmp/home" and os.path.isdir("/tmp/home"), os.environ.get("HOME"))
expect("time zone", time.tzname[0] == "UTC" and time.timezone == 0, time.tzname)
expect("locale", sys.getfilesystemencoding() == "utf-8" and locale.getpreferredencoding() == "UTF-8"
       and locale.setlocale(locale.LC_CTYPE, "").endswith("UTF-8"), locale.setlocale(locale.LC_CTYPE))
expect("standard streams are utf-8", {sys.stdin.encoding, sys.stdout.encoding} == {"utf-8"}, sys.stdout.encoding)
expect("short environment", len(os.environ) <= 12, dict(os.environ))
expect("no controlling terminal", open("/proc/self/stat", encoding="ascii").read().rpartition(")")[2].split()[4] == "0")
expect("no timer runs", signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0), signal.getitimer(signal.ITIMER_REAL))
try:
    os.waitpid(-1, os.WNOHANG)
    expect("no child it did not make", False)
except ChildProcessError:
    expect("no child it did not make", True)
done()
