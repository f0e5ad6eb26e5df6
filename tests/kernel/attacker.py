"""Attackers as the files under tests/attackers/: what each header says (README.md there) and the request it becomes."""

import base64
import dataclasses
import os
import pathlib
import re
import shlex

from .expectation import Expectation, HeaderError, parse_pairs

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "tests" / "attackers"
_LANGUAGES = {".py": "python", ".js": "node", ".sh": "bash", ".c": "bash"}
_RUN_NATIVE = 'chmod +x ./a && exec ./a "$@"'
_HEADER = re.compile(r"^(?://|#)\s*(attack|why|case|expect|expect-or|limits|stdin|uses|alone|collect|terminal):\s*(.*)$")
_DEFAULTS_MS = {"wall_time_ms": 5000, "cpu_time_ms": 5000}
_CASE_KEYS = {"args", "limits", "expect", "terminal"}


@dataclasses.dataclass
class Attack:
    """One run of an attacker: the file, one of its cases, and what must become of it."""

    name: str
    source: pathlib.Path
    args: list
    limits: dict
    expectations: list
    stdin: str = ""
    uses: tuple = ()
    alone: bool = False
    collect: tuple = ()
    terminal: bool = False

    def request(self, time_scale, binaries):
        files = [{"path": name, "content": (SOURCES / "lib" / name).read_text("utf-8")} for name in self.uses]
        if self.source.suffix == ".c":
            content = program_of(self.source, binaries).read_bytes()
            files.append({"path": "a", "content": base64.b64encode(content).decode(), "encoding": "base64"})
            code = _RUN_NATIVE
        else:
            code = self.source.read_text("utf-8")
        limits = {**_DEFAULTS_MS, **self.limits}
        limits.update((key, int(limits[key] * time_scale)) for key in _DEFAULTS_MS)
        return {"tenant_id": "attacker", "language": _LANGUAGES[self.source.suffix], "code": code, "args": self.args,
                "files": files, "stdin": self.stdin, "limits": limits, "collect": list(self.collect)}


def program_of(source, binaries):
    """The built form of an attacker in C; one that is older than its source would prove nothing of it."""
    program = pathlib.Path(binaries) / source.relative_to(SOURCES).with_suffix("")
    if not program.is_file() or program.stat().st_mtime < source.stat().st_mtime:
        raise FileNotFoundError(f"{program} is missing or older than its source: run `make build`")
    return program


def default_binaries():
    programs = os.environ.get("OUTRIGGER_BIN")
    build = pathlib.Path(programs).parent if programs else REPOSITORY / "build"
    return build / "attackers"


def _read_header(source):
    entries = []
    for line in source.read_text("utf-8").splitlines():
        if not line.startswith(("//", "#")):
            break
        if match := _HEADER.match(line):
            entries.append(match.groups())
    return entries


def _read_limits(text):
    pairs = (pair.partition("=") for pair in filter(None, text.split(",")))
    return {key: float(value) if "." in value else int(value) for key, _, value in pairs}


def _read_stdin(text):
    """`zeros:N` is N characters 0; anything else is taken as it stands."""
    return "0" * int(text.removeprefix("zeros:")) if text.startswith("zeros:") else text


def _case_expectations(base, case):
    """A case brings an outcome of its own by expect="…", or changes single fields of the common ones."""
    if "expect" in case:
        return [Expectation(parse_pairs(case["expect"]))]
    changes = {key: value for key, value in case.items() if key not in _CASE_KEYS}
    return [Expectation({**pairs, **changes}) for pairs in base]


def load_attacker(source):
    """The runs that one file asks for."""
    entries = _read_header(source)
    single = dict(entries)
    base = [parse_pairs(value) for key, value in entries if key in ("expect", "expect-or")]
    if "attack" not in single or not base or ("expect-or" in single and "why" not in single):
        raise HeaderError("needs attack: and expect:, and why: beside expect-or:")
    name = str(source.relative_to(SOURCES))
    common = {"source": source, "stdin": _read_stdin(single.get("stdin", "")),
              "uses": tuple(single.get("uses", "").split()), "alone": single.get("alone") == "yes",
              "collect": tuple(single.get("collect", "").split())}
    limits = _read_limits(single.get("limits", ""))
    attacks = []
    for text in [value for key, value in entries if key == "case"] or [""]:
        label, _, rest = text.partition(" ")
        case = parse_pairs(rest)
        attacks.append(Attack(name=f"{name}[{label}]" if label else name, args=shlex.split(case.get("args", "")),
                              limits={**limits, **_read_limits(case.get("limits", ""))},
                              terminal=case.get("terminal", single.get("terminal")) == "yes",
                              expectations=_case_expectations(base, case), **common))
    return attacks


def load_all(pattern=""):
    attacks = []
    for source in sorted(SOURCES.glob("*/*")):
        if source.suffix not in _LANGUAGES or source.parent.name == "lib":
            continue
        try:
            attacks += load_attacker(source)
        except ValueError as error:
            raise HeaderError(f"{source}: {error}") from error
    return [attack for attack in attacks if re.search(pattern, attack.name)]
