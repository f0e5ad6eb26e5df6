"""Processes and ports of this machine, seen from outside as an administrator sees them; and waiting for a condition."""

import os
import pathlib
import random
import socket
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TIME_SCALE = float(os.environ.get("OUTRIGGER_TIME_SCALE", "1"))
# Below the range the kernel takes client ports from, so that no outgoing connection can sit on the port we chose.
_PORTS = range(20000, 32000)


class DaemonFailed(AssertionError):
    """The daemon did not start, did not answer, or did not end as it should."""


def program(name):
    """The path of one of the project's programs."""
    directory = os.environ.get("OUTRIGGER_BIN") or REPOSITORY / "build" / "bin"
    path = pathlib.Path(directory) / name
    if not path.is_file():
        raise DaemonFailed(f"{path} is not there: run `make build`, or set OUTRIGGER_BIN to the programs' directory")
    return str(path)


def wait_until(condition, timeout, what):
    """Returns the first true value of `condition()`; fails when `timeout` seconds (scaled) have brought none.

    `what` was waited for: a text, or what makes one then.
    """
    deadline = time.monotonic() + timeout * TIME_SCALE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise DaemonFailed(f"waited {timeout * TIME_SCALE:g} s in vain: {what() if callable(what) else what}")
        time.sleep(0.005)


def children_of(pid):
    """The pids of a process's children, those it adopted included."""
    found = set()
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            text = pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text(encoding="ascii")
            found.update(int(child) for child in text.split())
    except (FileNotFoundError, ProcessLookupError):
        pass  # it ended while we looked
    return found


def child_named(pid, name):
    """The child whose comm, which the kernel cuts at fifteen characters, is `name`; or None."""
    for child in children_of(pid):
        try:
            if pathlib.Path(f"/proc/{child}/comm").read_text(encoding="utf-8").rstrip("\n") == name[:15]:
                return child
        except (FileNotFoundError, ProcessLookupError):
            continue
    return None


def descendants_of(pid):
    children = children_of(pid)
    return children.union(*map(descendants_of, children))


def is_alive(pid):
    """Whether a process exists and is more than a zombie."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def free_port(host="127.0.0.1"):
    for port in random.sample(_PORTS, 200):
        with socket.socket(socket.AF_INET) as probe:
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise DaemonFailed("no free port found")


def processes_with(text):
    """The pids whose command line holds `text`."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            command = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if text.encode() in command:
            found.append(int(entry))
    return found


def open_descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def cgroups_of(job_id):
    """The directories below /sys/fs/cgroup that belong to a job, in whichever hierarchy."""
    return [path for path, _, _ in os.walk("/sys/fs/cgroup") if os.path.basename(path) == job_id]


def cgroup_names():
    """The names of all groups below /sys/fs/cgroup."""
    return {os.path.basename(path) for path, _, _ in os.walk("/sys/fs/cgroup")}
