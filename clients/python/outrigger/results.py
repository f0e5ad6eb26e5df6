"""Answers as typed values. Members that a newer daemon adds are passed over."""

import base64
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class Cause:
    """Why a job ended: a code to switch on, and a sentence with the evidence."""

    code: str
    text: str


@dataclass(frozen=True)
class SecurityEvent:
    type: str
    detail: str
    count: int = 1
    syscall: Optional[str] = None
    args: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class Limits:
    """What was in force; None where the daemon has no such limit."""

    wall_time_ms: Optional[int] = None
    cpu_time_ms: Optional[int] = None
    memory_bytes: Optional[int] = None
    cpu_cores: Optional[float] = None
    pids: Optional[int] = None
    output_bytes: Optional[int] = None
    tmpfs_bytes: Optional[int] = None


@dataclass(frozen=True)
class CollectedFile:
    """A file that was asked for, or why it could not be had."""

    path: str
    bytes: Optional[int]
    mode: Optional[int]
    content: Optional[bytes]
    error: Optional[Cause]


@dataclass(frozen=True)
class CompileReport:
    """How the step ended that made a program of the code."""

    status: str
    exit_code: Optional[int]
    signal: Optional[str]
    stdout: str
    stderr: str
    stdout_bytes: int
    stderr_bytes: int
    stdout_truncated: bool
    stderr_truncated: bool
    wall_time_ms: float
    cpu_time_ms: Optional[float]
    peak_memory_bytes: Optional[int]
    cause: Cause
    cached: bool  # it ran for an earlier job of the same tenant


@dataclass(frozen=True)
class Result:
    """What became of a program. `raw` is the whole answer."""

    job_id: str
    tenant_id: str
    language: str
    status: str
    exit_code: Optional[int]
    signal: Optional[str]
    stdout: str
    stderr: str
    stdout_bytes: int
    stderr_bytes: int
    stdout_truncated: bool
    stderr_truncated: bool
    wall_time_ms: float
    queue_time_ms: float
    cpu_time_ms: Optional[float]
    throttled_time_ms: Optional[float]
    peak_memory_bytes: Optional[int]
    oom_kills: Optional[int]
    cause: Cause
    security_events: List[SecurityEvent]
    limits: Limits
    files: List[CollectedFile]
    compile: Optional[CompileReport] = None  # None where the language has no such step
    raw: Dict[str, Any] = field(repr=False, compare=False, default_factory=dict)

    @property
    def ok(self) -> bool:
        """It ran to its end and ended with exit status 0."""
        return self.status == "completed"

    def file(self, path: str) -> CollectedFile:
        """The collected file of this path; KeyError where it was not asked for or found."""
        for each in self.files:
            if each.path == path:
                return each
        raise KeyError(path)

    @property
    def stdout_raw(self) -> bytes:
        """The bytes of a job that was asked for with binary=True."""
        return base64.b64decode(self.stdout, validate=True)

    @property
    def stderr_raw(self) -> bytes:
        return base64.b64decode(self.stderr, validate=True)


@dataclass(frozen=True)
class Event:
    """What happened to a job that is streamed: started, stdout, stderr, finished."""

    name: str
    job_id: Optional[str] = None
    text: Optional[str] = None
    result: Optional[Result] = None  # of finished; its outputs are empty: they have been told


@dataclass(frozen=True)
class Job:
    """How a queued job stands."""

    job_id: str
    state: str  # queued, running, finished; dead: given up
    attempt: int  # how many were begun
    result: Optional[Result]
    error: Optional[Cause]  # of a dead one that has no result
    raw: Dict[str, Any] = field(repr=False, compare=False, default_factory=dict)


def known(kind: Any, members: Dict[str, Any]) -> Any:
    """`kind` of those members that it has."""
    return kind(**{name: value for name, value in members.items() if name in kind.__dataclass_fields__})


def parse_file(members: Dict[str, Any]) -> CollectedFile:
    error = members.get("error")
    content = members.get("content")
    raw = None
    if content is not None:
        raw = base64.b64decode(content, validate=True) if members.get("encoding") == "base64" else content.encode()
    mode = members.get("mode")
    return CollectedFile(members["path"], members.get("bytes"), None if mode is None else int(mode, 8), raw,
                         None if error is None else Cause(error["code"], error["message"]))


def parse_compile(members: Optional[Dict[str, Any]]) -> Optional[CompileReport]:
    return None if members is None else known(CompileReport, {**members, "cause": known(Cause, members["cause"])})


def parse_result(members: Dict[str, Any]) -> Result:
    typed = dict(members)
    typed.setdefault("stdout", "")
    typed.setdefault("stderr", "")
    typed["cause"] = known(Cause, members["cause"])
    typed["security_events"] = [known(SecurityEvent, event) for event in members["security_events"]]
    typed["limits"] = known(Limits, members["limits"])
    typed["files"] = [parse_file(each) for each in members.get("files", [])]
    typed["compile"] = parse_compile(members.get("compile"))
    typed["raw"] = members
    return known(Result, typed)


def parse_job(members: Dict[str, Any]) -> Job:
    result, error = members.get("result"), members.get("error")
    return Job(members["job_id"], members["state"], members.get("attempt", 0),
               None if result is None else parse_result(result),
               None if error is None else Cause(error["code"], error["message"]), members)
