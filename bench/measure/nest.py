"""The auditor: what watching costs, and that nothing is lost or doubled by it."""

import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from .table import goal

CARD = {
    "tenant_id": "bench", "language": "bash", "command": "/bin/true", "started_at": "2025-01-31T09:30:00.000Z",
    "limits": {"wall_time_ms": 5000, "cpu_time_ms": 5000, "memory_bytes": 134217728, "cpu_cores": 0.5, "pids": 32,
               "output_bytes": 524288, "tmpfs_bytes": 16777216}
}
WINDOWS = 4
WINDOW_SECONDS = 5
MOST = {1_000: 1.0, 10_000: 10.0}  # percent of a core, at an interval of a second
MOST_MIB = 64

JOBS = 10_000
JOBS_A_SECOND = 200
KILLS = 5
RUNS_A_CAUSE = 200
LEAST_LINES = 50_000
MOST_VERIFY_SECONDS = 5


def measure(root, daemon):
    rows = [watching(root, count) for count in MOST]
    rows += ledger(root)
    rows.append(kills(root, daemon))
    rows.append(causes(root))
    return rows


# -- what it costs to watch groups that do nothing ---------------------------------------------------------------------


def places():
    """A directory for groups below our own memory group, and the same path in each other hierarchy of v1."""
    mounted = pathlib.Path("/sys/fs/cgroup")
    name = pathlib.Path(f"outrigger-bench-{os.getpid()}") / "outrigger"
    if (mounted / "cgroup.controllers").exists():
        return [mounted / name]
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            name = pathlib.Path(path.lstrip("/")) / name
    return [mounted / controller / name for controller in ("memory", "cpu", "cpuacct", "pids")]


def make(directory):
    """It and those above it that are missing; what was made, the deepest last."""
    missing = [each for each in (directory, *directory.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        if (each / "cgroup.subtree_control").exists():
            (each / "cgroup.subtree_control").write_text("+memory +cpu +pids")
    return missing[::-1]


@contextlib.contextmanager
def idle_jobs(state, count):
    """Groups without a process, each with a card that calls it a job."""
    roots, made = places(), []
    ids = [f"{number:032d}" for number in range(count)]
    cards = state / "jobs"
    cards.mkdir()
    (state / "terminations").mkdir()
    try:
        for root in roots:
            made += make(root)
            for name in ids:
                (root / name).mkdir()
        for name in ids:
            card = {"job_id": name, **CARD, "cgroup": str(roots[0] / name)}
            (cards / f"{name}.json").write_text(json.dumps(card))
        yield
    finally:
        for root in roots:
            for name in ids:
                with contextlib.suppress(FileNotFoundError):
                    (root / name).rmdir()
        for each in reversed(made):
            each.rmdir()


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def used_percent(pid):
    begin, before = time.monotonic(), cpu_seconds(pid)
    time.sleep(WINDOW_SECONDS)
    return 100 * (cpu_seconds(pid) - before) / (time.monotonic() - begin)


def resident_mib(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", text).group(1)) / 1024


def watching(root, count):
    state = pathlib.Path(tempfile.mkdtemp(prefix="outrigger-bench-", dir="/dev/shm"))
    try:
        with idle_jobs(state, count), open(state / "log", "wb") as log:
            watch = subprocess.Popen([root / "build/bin/crows-nest", "watch", "--state-dir", state, "--interval", "1s"],
                                     stdout=log, stderr=log)
            try:
                time.sleep(3)  # the first looks read everything, and open what is kept
                # Others on the machine, who take its caches, can only make it dearer: the least is its own.
                percent = min(used_percent(watch.pid) for _ in range(WINDOWS))
                memory = resident_mib(watch.pid)
            finally:
                watch.send_signal(signal.SIGTERM)
                watch.wait()
    finally:
        shutil.rmtree(state)
    fine = percent <= MOST[count] and memory <= MOST_MIB
    return [f"watching {count:,} idle jobs at 1 Hz", "", "", f"{percent:.2f} % of a core, {memory:.0f} MiB", "", "",
            goal(f"at most {MOST[count]:g} %, {MOST_MIB} MiB", fine)]


# -- the ledger --------------------------------------------------------------------------------------------------------


def ledger(root):
    def told(verb, pattern):
        text = subprocess.run([root / "build/bench/bench_ledger", verb], capture_output=True, text=True, check=True).stdout
        return re.search(pattern, text).groups(), text

    (rate, ), _ = told("append", r"append: (\d+) records/s")
    (lines, seconds), _ = told("verify", r"verify: (\d+) lines in ([\d.]+) s")
    (rounds, acknowledged, lost, doubled), _ = told(
        "crash", r"crash: (\d+) rounds of kill -9, (\d+) acknowledged, (\d+) lost, (\d+) doubled")
    return [
        ["ledger: lines onto the disk, by group commit", "", "", f"{int(rate):,}/s", "", "",
         goal(f"at least {LEAST_LINES:,}/s", int(rate) >= LEAST_LINES)],
        [f"ledger: verifying {int(lines):,} lines", "", "", f"{float(seconds):.2f} s", "", "",
         goal(f"less than {MOST_VERIFY_SECONDS} s", float(seconds) < MOST_VERIFY_SECONDS)],
        [f"ledger: {int(rounds):,} kill -9", "", "", f"{int(acknowledged):,} lines, {lost} lost, {doubled} doubled", "", "",
         goal("none lost, none doubled", lost == doubled == "0")],
    ]


# -- a line a job ------------------------------------------------------------------------------------------------------


class Watch:
    """The auditor of a daemon, killed and started again."""
    def __init__(self, root, state):
        self._command = [root / "build/bin/crows-nest", "watch", "--state-dir", state, "--interval", "500ms"]
        self._show = [root / "build/bin/crows-nest", "ledger", "show", "--json", "--state-dir", state]
        self._state = state
        self.start()

    def start(self):
        with open(self._state / "nest.log", "ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def kill(self):
        self._process.kill()
        self._process.wait()

    def stop(self):
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()

    def ids(self):
        lines = subprocess.run(self._show, capture_output=True, check=True).stdout.splitlines()
        return collections.Counter(json.loads(line)["job_id"] for line in lines)


def kills(root, daemon):
    """Jobs of a millisecond at an even pace, the auditor killed in between; then the lines are counted."""
    watch = Watch(root, daemon.terminations.parent)
    before = set(os.listdir(daemon.terminations))
    kill_at = [JOBS * (n + 1) // (KILLS + 1) for n in range(KILLS)]
    body = {"tenant_id": "bench", "language": "true", "code": "x"}

    def one(_):
        status, answer = daemon.request("POST", "/api/v1/execute", body)
        return answer["job_id"] if status == 200 else None

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        begin = time.monotonic()
        asked = []
        for number in range(JOBS):
            time.sleep(max(0.0, begin + number / JOBS_A_SECOND - time.monotonic()))
            asked.append(pool.submit(one, number))
            if number in kill_at:
                watch.kill()
                watch.start()
        ids = {each.result() for each in asked} - {None}
        seconds = time.monotonic() - begin
    end = time.monotonic() + 30
    while set(os.listdir(daemon.terminations)) - before and time.monotonic() < end:
        time.sleep(0.1)
    found = watch.ids()
    watch.stop()
    lost = len(ids - set(found))
    doubled = sum(1 for job_id in ids if found[job_id] > 1)
    return [f"a line a job: {len(ids):,} of a millisecond, {len(ids) / seconds:.0f}/s, {KILLS} kill -9", "", "",
            f"{len(ids & set(found)):,} lines, {lost} lost, {doubled} doubled", "", "",
            goal(f"{JOBS:,} lines, none doubled", lost == doubled == 0 and len(ids) == JOBS)]


def causes(root):
    """The test of causes, that often."""
    environment = {**os.environ, "OUTRIGGER_CAUSE_RUNS": str(RUNS_A_CAUSE)}
    done = subprocess.run([sys.executable, root / "tests/nest/run.py", "test_each_cause"], env=environment,
                          capture_output=True, text=True, check=False)
    return [f"each cause of death {RUNS_A_CAUSE} times", "", "", "0 wrong" if done.returncode == 0 else "some wrong", "", "",
            goal("0 wrong", done.returncode == 0)]
