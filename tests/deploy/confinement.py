"""What an engine or systemd takes from a program, taken from it without either."""

import re
import subprocess
import sys

from deploy.files import unit

IN_FILTER = __file__.replace("confinement.py", "in_filter.py")


def capabilities_of(name):
    """Those of a unit, as setpriv names them."""
    return [each.lower().removeprefix("cap_") for each in unit(name)["CapabilityBoundingSet"].split()]


def with_only(capabilities):
    """The words before a command that is to be root with these alone, and may gain none."""
    bounding = "-all" + "".join(f",+{name}" for name in capabilities)
    return ["setpriv", "--bounding-set", bounding, "--inh-caps", "-all", "--no-new-privs"]


def in_filter_of(name):
    """The words before a command that is to run under a unit's SystemCallFilter."""
    return [sys.executable, IN_FILTER, ",".join(sorted(calls_of(unit(name)["SystemCallFilter"].split())))]


def calls_of(words):
    """The system calls that a list of names and @groups stands for."""
    calls = set()
    for word in words:
        if not word.startswith("@"):
            calls.add(word)
            continue
        shown = subprocess.run(["systemd-analyze", "syscall-filter", word], check=True, capture_output=True, text=True,
                               timeout=60).stdout
        calls |= calls_of(re.findall(r"^    ([@a-z0-9_]\S*)$", shown, re.MULTILINE))
    return calls
