"""The two places that a module of tests is run in: a jail of a daemon, and bare. Both do the same with the same orders."""

import dataclasses
import json
import pathlib
import subprocess

from cpython import bare
from cpython.image import RUNTIME

_WALL_SECONDS = 300
_LIMITS = f"""
wall_time_ms = {_WALL_SECONDS * 1000}
cpu_time_ms = {2 * _WALL_SECONDS * 1000}
memory_bytes = {1 << 30}
cpu_cores = 2.0
pids = 256
output_bytes = {8 << 20}
tmpfs_bytes = {256 << 20}
"""
# Defaults and ceilings alike: only jobs with the default limits take a jail that was kept ready.
DAEMON_CONFIG = f"[limits]{_LIMITS}[ceilings]{_LIMITS}"
COLD = "[pool]\nprimed_memory_bytes = 0\n"
# As environment() in src/run/launch_payload.cc has it.
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp/home", "LANG": "C.UTF-8", "TZ": "UTC",
                "USER": "sandbox", "PWD": "/tmp/work"}
_PROGRAM = (pathlib.Path(__file__).parent / "in_python.py").read_text(encoding="utf-8")
_ORDERS_FILE = "orders.json"


@dataclasses.dataclass
class Ended:
    how: str  # completed, failed, timeout, security_violation with the system call's name …
    stdout: str
    stderr: str


class Jail:
    """A new jail for each run."""
    name = "jail"

    def __init__(self, daemon):
        self._daemon = daemon

    def run(self, orders):
        request = {"tenant_id": "cpython", "language": RUNTIME, "code": _PROGRAM,
                   "files": [{"path": _ORDERS_FILE, "content": json.dumps(orders)}]}
        response = self._daemon.execute(request, timeout=_WALL_SECONDS + 60)
        if response.status != 200:
            raise AssertionError(f"HTTP {response.status}: {response.raw[:300]!r}")
        answer = response.json
        calls = {event["syscall"] for event in answer["security_events"] if event["type"] == "seccomp_violation"}
        return Ended(" ".join([answer["status"], *sorted(calls)]), answer["stdout"], answer["stderr"])


class Bare:
    """The same tree, interpreter, environment and id, without filter and limits."""
    name = "bare"

    def __init__(self, image):
        self._image = image

    def run(self, orders):
        environment = {**_ENVIRONMENT, **self._image.environment}
        what = {"tree": str(self._image.tree), "command": self._image.command, "environment": environment,
                "files": {self._image.source_file: _PROGRAM, _ORDERS_FILE: json.dumps(orders)}}
        with subprocess.Popen(bare.COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            try:
                out, err = process.communicate(json.dumps(what).encode(), timeout=_WALL_SECONDS)
                how = "completed" if process.returncode == 0 else "failed"
            except subprocess.TimeoutExpired:
                process.kill()  # unshare(1) has its child killed then, which takes all of its pid namespace along
                out, err = process.communicate()
                how = "timeout"
        return Ended(how, out.decode(errors="replace"), err.decode(errors="replace"))
