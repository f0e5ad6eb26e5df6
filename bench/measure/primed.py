"""What a jail that stands ready holds: memory charged to its own control group."""

import re
import time

from .table import goal

MOST_PYTHON_MIB = 4
_LINE = re.compile(r'outrigger_primed_(memory_bytes|jails)\{runtime="([^"]+)"(?:,state="ready")?\} (\d+)')


def measure(daemon):
    while not daemon.is_ready():
        time.sleep(0.05)
    found = {}
    for name, runtime, value in _LINE.findall(daemon.text("/metrics")):
        found.setdefault(runtime, {})[name] = int(value)
    rows = []
    for runtime, one in sorted(found.items()):
        if not one.get("jails"):
            continue
        mib = one["memory_bytes"] / one["jails"] / 2**20
        note = goal(f"at most {MOST_PYTHON_MIB} MiB", mib <= MOST_PYTHON_MIB) if runtime == "python" else ""
        rows.append([f"{runtime}, memory of a primed jail", "", "", f"{mib:.1f} MiB", "", "", note])
    return rows
