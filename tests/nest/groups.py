"""The control groups of jobs as an administrator reads them, on whichever version the machine has."""

import json
import pathlib

_V1_ROOT = pathlib.Path("/sys/fs/cgroup")
# What is asked for: by version, the controller's hierarchy, the file, its key, and how many of its units are one of ours.
_FIGURES = {
    "memory": {"v2": ("memory", "memory.current", None, 1), "v1": ("memory", "memory.usage_in_bytes", None, 1)},
    "memory_limit": {"v2": ("memory", "memory.max", None, 1), "v1": ("memory", "memory.limit_in_bytes", None, 1)},
    "cpu_usec": {"v2": ("cpu", "cpu.stat", "usage_usec", 1), "v1": ("cpuacct", "cpuacct.usage", None, 1000)},
    "throttled_usec": {"v2": ("cpu", "cpu.stat", "throttled_usec", 1), "v1": ("cpu", "cpu.stat", "throttled_time", 1000)},
    "pids": {"v2": ("pids", "pids.current", None, 1), "v1": ("pids", "pids.current", None, 1)},
    "oom_kills": {"v2": ("memory", "memory.events", "oom_kill", 1), "v1": ("memory", "memory.oom_control", "oom_kill", 1)},
}


def version_of(daemon):
    return daemon.health()["cgroup"]["driver"]


def directory(daemon, job_id, controller="memory"):
    """A running job's group in one controller's hierarchy."""
    memory = pathlib.Path(json.loads((daemon.state_dir / "jobs" / f"{job_id}.json").read_text())["cgroup"])
    if version_of(daemon) == "v2" or controller == "memory":
        return memory
    (found, ) = _V1_ROOT.joinpath(controller).rglob(job_id)
    return found


def read(daemon, job_id, figure):
    controller, name, key, per_unit = _FIGURES[figure][version_of(daemon)]
    text = (directory(daemon, job_id, controller) / name).read_text()
    if key is not None:
        (text, ) = [line.split()[1] for line in text.splitlines() if line.split()[0] == key]
    return int(text) // per_unit


def own_group(controller):
    """The group of this very process: below it tests may make their own."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return _V1_ROOT / controller / path.lstrip("/")
        if names == "" and (_V1_ROOT / "cgroup.controllers").exists():
            return _V1_ROOT / path.lstrip("/")
    raise AssertionError(f"no hierarchy has {controller}")
