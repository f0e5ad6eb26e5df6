"""What became of each case of a module, pieced together from as many runs as it takes."""

import dataclasses
import json
import time

_MARK = "@outrigger-case "
# A module whose run ends this often is hopeless: differences.toml must leave out the cases that end it.
_MOST_RUNS = 40
_EXCERPT = 1500
# What stands for a case where a run ended outside all of them.
_BEFORE, _AFTER = "(before the first case)", "(after the last case)"


@dataclasses.dataclass
class Outcome:
    """`word` is ok, fail, skip, or how the run ended during the case: "security_violation socket"."""
    word: str
    why: str = ""
    seconds: float = 0.0


@dataclasses.dataclass
class Module:
    """All cases of a module in one place."""
    name: str
    cases: dict = dataclasses.field(default_factory=dict)
    left_out: set = dataclasses.field(default_factory=set)
    runs: int = 0
    seconds: float = 0.0
    _planned: list = dataclasses.field(default_factory=list)

    def take(self, events):
        """Enters what a run told; returns the case in which it ended, or None if it came to its end."""
        self._planned, running, last = [], None, None
        for event in events:
            if "plan" in event:
                self._planned += event["plan"]
                self.left_out.update(event["left_out"])
            elif "start" in event:
                running = event["start"]
            elif "case" in event:
                self.cases[event["case"]] = Outcome(event["outcome"], event["why"], event["seconds"])
                running = None
            elif "fixture" in event:
                self._take_fixture(event)
            last = event
        if last is not None and "end" in last:
            return None
        not_run = (case for case in self._planned if case not in self.cases)
        return running or next(not_run, _AFTER if self._planned else _BEFORE)

    def _take_fixture(self, event):
        """What a class or module could not set up is the outcome of each of its cases."""
        outcome = Outcome(event["outcome"], event["why"])
        if event["fixture"].startswith("setUp"):
            for case in self._planned:
                if case.startswith(event["of"] + "."):
                    self.cases.setdefault(case, outcome)
        else:
            self.cases[f"{event['of']} {event['fixture']}"] = outcome


def _read_events(text):
    """The lines of in_python.py among all that the tests print."""
    events = []
    for part in text.split(_MARK)[1:]:
        try:
            events.append(json.loads(part.partition("\n")[0]))
        except ValueError:
            continue  # cut by the end of its writer
    return events


def run_module(place, name, without=(), only=("*", )):
    """Runs a module; where a case ends the run, that is its outcome, and what is left goes on in a new run."""
    module = Module(name)
    started = time.monotonic()
    while module.runs < _MOST_RUNS:
        orders = {"mark": _MARK, "module": name, "without": list(without), "only": list(only),
                  "done": list(module.cases)}
        ended = place.run(orders)
        module.runs += 1
        culprit = module.take(_read_events(ended.stdout))
        if culprit is None:
            break
        module.cases[culprit] = Outcome(ended.how, ended.stderr[-_EXCERPT:])
        if culprit in (_BEFORE, _AFTER):
            break
    module.seconds = time.monotonic() - started
    return module
