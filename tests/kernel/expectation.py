"""What must become of an attacker: parsed from its header, held against the daemon's answer."""

import re
import shlex

_STRINGS = ("status", "signal", "cause", "syscall")
_PRESENT = {"event", "truncated"}
_INTEGERS = {"exit_code", "stdout_kept", "stderr_kept", "max_wall_ms", "refusals"}
_OTHERS = {"stdout", "stdout~", "stdout_only", "stdout_hex", "peak_near_limit", "files", "files_only"}
KEYS = {*_STRINGS, *_PRESENT, *_INTEGERS, *_OTHERS}


class HeaderError(ValueError):
    """An attacker's header can not be understood."""


def parse_pairs(text):
    """`a=1 b~="x y"` as a dict; `~` stays part of the key."""
    pairs = {}
    for word in shlex.split(text):
        key, equals, value = word.partition("=")
        if not equals or key in pairs:
            raise HeaderError(f"expected key=value, each key once: {word!r}")
        pairs[key] = value
    return pairs


class Expectation:
    """One acceptable outcome. `mismatches` lists what an answer lacks of it."""

    def __init__(self, pairs):
        unknown = pairs.keys() - KEYS
        if unknown or "status" not in pairs:
            raise HeaderError(f"an expectation needs a status and knows no {sorted(unknown)}")
        self.pairs = {key: int(value) if key in _INTEGERS else value for key, value in pairs.items()}

    def mismatches(self, answer, time_scale):
        checks = (self._fields(answer), self._events(answer), self._output(answer), self._measures(answer, time_scale),
                  self._files(answer))
        return [line for lines in checks for line in lines]

    def _fields(self, answer):
        violations = [event for event in answer["security_events"] if event["type"] == "seccomp_violation"]
        seen = {"status": answer["status"], "signal": answer["signal"], "cause": answer["cause"]["code"],
                "exit_code": answer["exit_code"], "syscall": violations[0]["syscall"] if violations else None}
        if self.pairs["status"] == "security_violation":
            wanted = {"exit_code": 159, "signal": "SIGSYS", "cause": "seccomp", **self.pairs}
        else:
            wanted = {"syscall": None, **self.pairs}
        for key, value in seen.items():
            if key in wanted and wanted[key] != value:
                yield f"{key} is {value!r}, not {wanted[key]!r}"
        if violations and not violations[0].get("args"):
            yield "the violation's event has no arguments"

    def _events(self, answer):
        types = {event["type"] for event in answer["security_events"]}
        for wanted in filter(None, self.pairs.get("event", "").split(",")):
            if wanted not in types:
                yield f"no event {wanted}, only {sorted(types)}"
        for stream in filter(None, self.pairs.get("truncated", "").split(",")):
            if not answer[f"{stream}_truncated"]:
                yield f"{stream} is not truncated"
        if "truncated" not in self.pairs and (answer["stdout_truncated"] or answer["stderr_truncated"]):
            yield "output is truncated"

    def _output(self, answer):
        stdout = answer["stdout"].rstrip("\n")
        lines = stdout.splitlines()
        if "stdout" in self.pairs and stdout != self.pairs["stdout"]:
            yield f"stdout is {stdout[-300:]!r}, not {self.pairs['stdout']!r}"
        if "stdout~" in self.pairs and not re.fullmatch(self.pairs["stdout~"], stdout):
            yield f"stdout is {stdout[-300:]!r}, not like {self.pairs['stdout~']!r}"
        if "stdout_hex" in self.pairs and answer["stdout"].encode().hex() != self.pairs["stdout_hex"]:
            yield f"stdout is {answer['stdout'].encode().hex()}"
        if "refusals" in self.pairs and lines[-1:] != [f"refusals: {self.pairs['refusals']}"]:
            yield f"it ended with {lines[-1:]}, not with refusals: {self.pairs['refusals']}"
        if "stdout_only" in self.pairs:
            word = self.pairs["stdout_only"]
            tries = [line for line in lines if not line.startswith("refusals:")]
            yield from (f"not {word}: {line}" for line in tries if word not in line)

    def _files(self, answer):
        """Of each collected file its content, in one word, or the code of why it is not there."""
        seen = {file["path"]: file["error"]["code"] if "error" in file else file["content"].strip()
                for file in answer["files"]}
        if "files" in self.pairs:
            wanted = dict(word.split(":") for word in self.pairs["files"].split(","))
            if seen != wanted:
                yield f"collected is {str(seen)[:300]}, not {wanted}"
        if "files_only" in self.pairs:
            allowed = self.pairs["files_only"].split(",")
            yield from (f"collected is {path!r}: {what[:100]!r}" for path, what in seen.items() if what not in allowed)

    def _measures(self, answer, time_scale):
        if answer["wall_time_ms"] > self.pairs.get("max_wall_ms", float("inf")) * time_scale:
            yield f"it took {answer['wall_time_ms']} ms"
        for stream in ("stdout", "stderr"):
            kept = len(answer[stream].encode())
            if f"{stream}_kept" in self.pairs and kept != self.pairs[f"{stream}_kept"]:
                yield f"{kept} bytes of {stream} were kept"
        if "peak_near_limit" in self.pairs:
            peak, limit = answer["peak_memory_bytes"], answer["limits"]["memory_bytes"]
            # On v2 before kernel 5.19 there is no peak; then it must be absent, never 0.
            if peak is not None and not 0.8 * limit <= peak <= 1.1 * limit:
                yield f"the peak is {peak} bytes, far from the ceiling of {limit}"


def judge(expectations, answer, time_scale):
    """The reasons why `answer` is none of the acceptable outcomes; empty where it is one."""
    escapes = [line for stream in ("stdout", "stderr") for line in answer[stream].splitlines() if "ESCAPED" in line]
    if escapes:
        return escapes[:5]
    closest = None
    for expectation in expectations:
        lacking = expectation.mismatches(answer, time_scale)
        if not lacking:
            return []
        if closest is None or len(lacking) < len(closest):
            closest = lacking
    return closest
