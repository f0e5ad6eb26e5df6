"""The programs as the files under tests/conformance/<language>/ hold them (README.md has the form), and as requests."""

import base64
import dataclasses
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = ("python", "node", "bash")
_PROGRAM = "==== "
_FILE = "---- "
_DIRECTIVE = re.compile(r"^:(args|env|stdin|code) (.*)$")
_NAME = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$")


class FormError(ValueError):
    """A file of programs can not be understood."""


@dataclasses.dataclass
class Program:
    """One program and what it is given."""

    language: str
    name: str  # language/subject/program
    code: str = ""
    stdin: str = ""
    args: list = dataclasses.field(default_factory=list)
    env: dict = dataclasses.field(default_factory=dict)
    files: dict = dataclasses.field(default_factory=dict)  # path: bytes

    def request(self):
        """The body of a request that runs it, with the default limits."""
        files = [{"path": path, "content": base64.b64encode(content).decode("ascii"), "encoding": "base64"}
                 for path, content in self.files.items()]
        return {"tenant_id": "conformance", "language": self.language, "code": self.code, "stdin": self.stdin,
                "args": self.args, "env": self.env, "files": files, "output_encoding": "base64"}


def load_all(languages=LANGUAGES, pattern=""):
    programs = [program for language in languages for path in sorted((HERE / language).glob("*.txt"))
                for program in _load(language, path)]
    return [program for program in programs if re.search(pattern, program.name)]


def request_bodies(languages=LANGUAGES, pattern=""):
    """Every program as a request: a load of real programs for who wants to measure."""
    for program in load_all(languages, pattern):
        yield program.request()


def _load(language, path):
    try:
        head, *sections = _split(path.read_text("utf-8"), _PROGRAM)
        if head.strip():
            raise FormError(f"text before the first {_PROGRAM.strip()!r}")
        programs = [_parse(language, path.stem, section) for section in sections]
    except ValueError as error:
        raise FormError(f"{path}: {error}") from error
    names = [program.name for program in programs]
    if len(set(names)) != len(names):
        raise FormError(f"{path}: a name occurs twice: {sorted(name for name in names if names.count(name) > 1)}")
    return programs


def _split(text, mark):
    """The parts of `text` before, between and after the lines that begin with `mark`, each with the rest of that line."""
    return re.split(rf"^{re.escape(mark)}", text, flags=re.MULTILINE)


def _parse(language, subject, section):
    title, _, rest = section.partition("\n")
    if not _NAME.match(title):
        raise FormError(f"not a name of a program: {title!r}")
    body, *files = _split(rest, _FILE)
    program = Program(language, f"{language}/{subject}/{title}")
    lines = body.split("\n")
    while lines and (directive := _DIRECTIVE.match(lines[0])):
        setattr(program, directive[1], json.loads(directive[2]))
        lines.pop(0)
    program.code = program.code or _text("\n".join(lines))
    program.files = dict(_parse_file(file) for file in files)
    if not program.code.strip():
        raise FormError(f"{title} has no code")
    return program


def _parse_file(section):
    title, _, content = section.partition("\n")
    path, _, encoding = title.partition(" ")
    if encoding == "base64":
        return path, base64.b64decode(content)
    if encoding:
        raise FormError(f"{path}: no encoding is called {encoding!r}")
    return path, _text(content).encode("utf-8")


def _text(lines):
    """A program ends with one newline, however many empty lines stand before the next one."""
    return lines.rstrip("\n") + "\n"
