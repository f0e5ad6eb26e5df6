"""Each way a run can end: how it is brought about, and what the auditor must find."""

import dataclasses

from nest.base import millis


@dataclasses.dataclass
class Cause:
    name: str
    code: str  # the auditor's
    language: str
    program: str
    limits: dict = dataclasses.field(default_factory=dict)
    evidence: dict = dataclasses.field(default_factory=dict)  # facts and what they must be; a function judges


# Long enough for an emulated machine, for all whose end is not the clock's.
_TIME = {"wall_time_ms": millis(20000), "cpu_time_ms": millis(10000), "cpu_cores": 1.0}


def positive(value):
    return value is not None and value > 0


CAUSES = [
    Cause("its own memory ceiling", "memory_ceiling", "python", "x = b'x' * (1 << 30)", {**_TIME, "memory_bytes": 32 << 20},
          {"summary.oom_kills": positive, "summary.signal": "SIGKILL"}),
    Cause("the wall clock", "wall_clock", "bash", "sleep 600", {"wall_time_ms": millis(60)},
          {"summary.oom_kills": 0, "summary.signal": "SIGKILL"}),
    Cause("CPU time, by the watchdog", "cpu_time", "bash", "while :; do :; done", {**_TIME, "cpu_time_ms": millis(40)},
          {"summary.cpu_usage_usec": lambda used: used >= 1000 * millis(40) * 0.9}),
    Cause("CPU time, by its own hand", "cpu_time", "bash", "kill -XCPU $$", _TIME, {"summary.signal": "SIGXCPU"}),
    Cause("a blocked system call", "seccomp", "python", "import ctypes\nctypes.CDLL(None).socket(2, 1, 0)", _TIME,
          {"summary.signal": "SIGSYS", "summary.syscall": "socket"}),
    Cause("a wild pointer", "illegal_memory_access", "python", "import ctypes\nctypes.string_at(8)", _TIME,
          {"summary.signal": "SIGSEGV"}),
    Cause("SIGKILL by its own hand", "signal", "bash", "kill -KILL $$", _TIME,
          {"summary.oom_kills": 0, "summary.signal": "SIGKILL"}),
    Cause("SIGTERM", "signal", "bash", "kill -TERM $$", _TIME, {"summary.signal": "SIGTERM"}),
    Cause("exit 0", "exited", "bash", "true", _TIME, {"summary.exit_code": 0, "summary.signal": None}),
    Cause("exit 137", "exited", "bash", "exit 137", _TIME, {"summary.exit_code": 137, "summary.signal": None}),
    Cause("a child killed for memory, the parent well", "exited", "python",
          "import os\npid = os.fork()\nif pid == 0:\n    x = b'x' * (1 << 30)\nos.wait()", {**_TIME, "memory_bytes": 32 << 20},
          {"summary.oom_kills": positive, "summary.exit_code": 0}),
]


def judge(cause, line):
    """What is wrong with a line of the ledger; nothing where all is as it must be."""
    wrong = []
    if line["cause"]["code"] != cause.code:
        wrong.append(f"cause {line['cause']} instead of {cause.code}")
    if line["confidence"] == "conflict":
        wrong.append("the witnesses are said to differ")
    for name, expected in cause.evidence.items():
        found = line["evidence"].get(name, "absent")
        if not (expected(found) if callable(expected) else found == expected):
            wrong.append(f"{name} is {found}")
    return wrong
