"""Where it was measured, in one line; and whether the machine had anything else to do."""

import os
import platform
import shutil
import subprocess

QUIET = 0.3  # load a processor


def describe(health):
    return (f"{model()}, {os.cpu_count()} processors, Linux {platform.release()}, cgroup {health['cgroup']['driver']}, "
            f"bubblewrap {bubblewrap_version()}")


def model():
    with open("/proc/cpuinfo") as info:
        return next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "processor unknown")


def bubblewrap_version():
    return subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]


def busy():
    """Nothing on a quiet machine, else a warning."""
    load = os.getloadavg()[0] / os.cpu_count()
    if load <= QUIET:
        return ""
    return (f"This machine was busy (load {load:.1f} a processor) before the first measurement. A jail is the work of several "
            "processes that\nwake each other, and each wake has to wait for a processor: on a quiet machine times and ratios are better.")


def missing(root):
    """What has to be there before anything can be measured; nothing where all is."""
    needed = [root / "build/bin/outriggerd", root / "build/bench/floor", root / "build/images/standard"]
    for path in needed:
        if not path.exists():
            return f"{path} is missing: run `make bench`, which builds it"
    if os.geteuid() != 0:
        return "building jails needs root"
    if not shutil.which("bwrap"):
        return "bubblewrap is missing: apt-get install bubblewrap"
    return ""
