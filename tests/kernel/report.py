"""The suite's output: a line a run while it goes on, a table at the end."""

import dataclasses


@dataclasses.dataclass
class Result:
    name: str
    answer: dict | None
    failures: list
    seconds: float

    @property
    def status(self):
        return self.answer["status"] if self.answer else "no answer"

    @property
    def cause(self):
        return self.answer["cause"]["code"] if self.answer else "-"

    @property
    def events(self):
        """What happened beside, shortest form: `seccomp_violation socket`, `pids_limit`."""
        events = self.answer["security_events"] if self.answer else []
        return ", ".join(" ".join(filter(None, (event["type"], event.get("syscall")))) for event in events)


class Report:
    def __init__(self, driver):
        self.driver = driver
        self._results = []
        self._leftovers = []

    def add(self, result):
        self._results.append(result)
        word = "FAIL" if result.failures else "ok  "
        outcome = f"{result.status:<18} {result.cause:<14} {result.seconds:5.1f} s  {result.events}"
        print(f"{word} {result.name:<64} {outcome}", flush=True)
        for failure in result.failures:
            print(f"     {failure}", flush=True)
        if result.failures and result.answer:
            print(f"     cause: {result.answer['cause']['text']}", flush=True)
            for stream in ("stdout", "stderr"):
                print(f"     {stream}: {result.answer[stream][-400:]!r}", flush=True)

    def add_leftovers(self, names, lines):
        self._leftovers.append((names, lines))
        print(f"FAIL the host keeps something of one of: {', '.join(names)}", flush=True)
        for line in lines:
            print(f"     {line}", flush=True)

    def passed(self):
        return bool(self._results) and not self._leftovers and not any(result.failures for result in self._results)

    def last_line(self):
        failed = sum(1 for result in self._results if result.failures) + len(self._leftovers)
        passed = sum(1 for result in self._results if not result.failures)
        return f"attackers on cgroup {self.driver}:\n{passed} passed, {failed} failed"

    def as_markdown(self):
        lines = [f"| attacker (cgroup {self.driver}) | status | cause | events | |", "|---|---|---|---|---|"]
        for run in self._results:
            word = "FAIL" if run.failures else "ok"
            lines.append(f"| {run.name} | {run.status} | {run.cause} | {run.events} | {word} |")
        for names, found in self._leftovers:
            lines.append(f"| left behind by one of {len(names)} | | | {'; '.join(found)} | FAIL |")
        return "\n".join(lines) + "\n"
