"""Ten thousand jobs in a row: what they leave behind in the daemon, in its jailer and on the host.

The daemon lives in the host's mount namespace: its mounts are the host's.
"""

import os
import time

from .table import goal

FIRST = 100
ALL = 10_000
THREADS = 4
MOST_SECONDS = 150

# The allocator's own ups and downs; 10,000 jobs that each lost 100 bytes would already show.
MEMORY_SLACK_KB = 1024

# Uses what a job can use: input, a file, arguments, an environment, both outputs.
JOB = {
    "language": "bash",
    "code": 'cat; cat in/data.txt; echo "$1 $MODE" >&2',
    "stdin": "x" * 2000 + "\n",
    "args": ["a"],
    "env": {"MODE": "y"},
    "files": [{"path": "in/data.txt", "content": "1,2\n"}],
}


def measure(ways, daemon):
    with ways.rest("endurance", JOB, 200, '"stderr":"a y\\n"') as contender:
        contender.load(THREADS, MOST_SECONDS, FIRST)
        before = settled(daemon)
        done, seconds = contender.load(THREADS, MOST_SECONDS, ALL - FIRST)
        after = settled(daemon)
    complete = done == ALL - FIRST
    rows = [["jobs done", str(FIRST), str(FIRST + done), "", goal(f"{ALL:,} in {MOST_SECONDS} s", complete)]]
    reached = complete
    for name, first in before.items():
        slack = MEMORY_SLACK_KB if name.endswith("kB") else 0
        fine = after[name] - first <= slack
        reached = reached and fine
        rows.append([name.replace("daemon: mounts", "daemon and host: mounts"), str(first), str(after[name]), f"{after[name] - first:+d}",
                     goal(f"at most +{slack}", fine)])
    rows[0][3] = f"{done / seconds:.0f}/s"
    return rows, reached


def settled(daemon):
    """What there is once it has stopped changing: connections are closed and jails primed a moment after the last answer."""
    end = time.monotonic() + 20
    last = None
    while time.monotonic() < end:
        ready = daemon.is_ready()
        time.sleep(0.1)  # for the daemon to close its end of that question
        now = census(daemon) if ready else None
        if now is not None and now == last:
            return now
        last = now
        time.sleep(0.2)
    return last


def census(daemon):
    counts = {}
    for name, pid in (("daemon", daemon.process.pid), ("jailer", daemon.jailer_pid)):
        counts[f"{name}: resident kB"] = resident_kb(pid)
        counts[f"{name}: descriptors"] = len(os.listdir(f"/proc/{pid}/fd"))
        counts[f"{name}: mounts"] = count_lines(f"/proc/{pid}/mountinfo")
        counts[f"{name}: children"] = len(children(pid))
    counts["host: control groups of these jobs"] = groups_of(daemon.job_ids())
    return counts


def resident_kb(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def count_lines(path):
    with open(path) as file:
        return sum(1 for _ in file)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return file.read().split()


def groups_of(job_ids):
    """Wherever they may lie: other daemons of this machine have groups too, and theirs are not counted."""
    found = 0
    for _, directories, _ in os.walk("/sys/fs/cgroup"):
        found += sum(1 for name in directories if name in job_ids)
    return found
