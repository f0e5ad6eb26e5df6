"""differences.toml: which cases end otherwise in a jail than bare, how and why; and which are not run in one."""

import dataclasses
import fnmatch
import pathlib
import tomllib

_FILE = pathlib.Path(__file__).parent / "differences.toml"


@dataclasses.dataclass
class Entry:
    """`jail` is the outcome of each of its cases in a jail."""
    cases: list
    jail: str
    reason: str

    def pattern_of(self, case):
        return next((pattern for pattern in self.cases if fnmatch.fnmatchcase(case, pattern)), None)


class Differences:
    def __init__(self):
        document = tomllib.loads(_FILE.read_text(encoding="utf-8"))
        self.listed = [Entry(**entry) for entry in document["differs"]]
        self.fatal = [Entry(**entry) for entry in document["fatal"]]
        self.unsteady = [Entry(jail="", **entry) for entry in document["unsteady"]]

    def not_run(self):
        """Patterns of the cases that would end a jail, and with it the cases after them, or that prove nothing."""
        return [pattern for entry in self.fatal + self.unsteady for pattern in entry.cases]

    def why_not_run(self, case):
        return next(entry.reason for entry in self.fatal + self.unsteady if entry.pattern_of(case))

    def entry_of(self, case):
        return next((entry for entry in self.listed if entry.pattern_of(case)), None)

    def judge(self, bare, jail):
        """What is wrong between a module's two runs: (case, sentence) each."""
        wrong = []
        for case in sorted({**bare.cases, **jail.cases}):
            words = [cases[case].word if case in cases else "absent" for cases in (bare.cases, jail.cases)]
            entry = self.entry_of(case)
            if entry is None and words[0] != words[1]:
                wrong.append((case, f"is {words[0]} bare and {words[1]} in a jail"))
            elif entry is not None and words[0] == words[1]:
                wrong.append((case, f"is listed as different and is {words[0]} at both"))
            elif entry is not None and words[1] != entry.jail:
                wrong.append((case, f"is listed as {entry.jail} in a jail and is {words[1]}"))
        return wrong

    def unmatched(self, cases):
        """Patterns that match none of all the cases there are."""
        patterns = [pattern for entry in self.listed + self.fatal + self.unsteady for pattern in entry.cases]
        return [pattern for pattern in patterns if not fnmatch.filter(cases, pattern)]
