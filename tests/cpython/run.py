#!/usr/bin/env python3
"""run.py [--all] [--test NAME …] [--cold] [--bare-only] [--fatal] [--report FILE]

Runs CPython's own regression tests in jails and bare and compares the two case by case. What differs must be in
differences.toml, and what is in there must differ. One line a module; the exit status is 0 only if all of it is so.

  OUTRIGGER_BIN           the programs' directory (default build/bin)
  OUTRIGGER_CPYTHON_DIR   where the image with the tests and its runtime are kept (default build/cpython)
"""

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from cpython.differences import Differences  # noqa: E402
from cpython.image import prepare_image  # noqa: E402
from cpython.modules import ALL, DEFAULT  # noqa: E402
from cpython.outcome import run_module  # noqa: E402
from cpython.places import COLD, DAEMON_CONFIG, Bare, Jail  # noqa: E402
from support.daemon import Daemon  # noqa: E402
from support.process import REPOSITORY  # noqa: E402

# Many of the tests sleep: more than a machine has processors.
WORKERS = 4


@dataclasses.dataclass
class Compared:
    name: str
    bare: object
    jail: object = None
    wrong: list = dataclasses.field(default_factory=list)
    second_try: list = dataclasses.field(default_factory=list)


class Comparison:
    """Runs modules at both places and holds the one against the other."""
    def __init__(self, places, differences):
        self._places = places
        self._differences = differences

    def compare(self, name, only):
        runs = [self._run(place, name, only) for place in self._places]
        compared = Compared(name, *runs)
        if compared.jail is not None:
            self._judge(compared)
        return compared

    def _run(self, place, name, only):
        return run_module(place, name, self._differences.not_run(), only)

    def _judge(self, compared):
        """What is wrong is tried once more by itself: some tests measure time, and the machine may be busy."""
        compared.wrong = self._differences.judge(compared.bare, compared.jail)
        again = [case for case, _ in compared.wrong]
        if not again:
            return
        for place, module in zip(self._places, (compared.bare, compared.jail)):
            for case, outcome in self._run(place, compared.name, again).cases.items():
                module.cases[case] = outcome
        compared.wrong = self._differences.judge(compared.bare, compared.jail)
        still = {case for case, _ in compared.wrong}
        compared.second_try = [case for case in again if case not in still]


def show(compared):
    cases = compared.bare.cases
    count = f"{len(cases):4} cases"
    failed = sum(outcome.word not in ("ok", "skip") for outcome in cases.values())
    notes = [f"{failed} fail bare" if failed else ""]
    seconds = compared.bare.seconds
    if compared.jail is not None:
        seconds = compared.jail.seconds
        differ = sum(case not in cases or cases[case].word != outcome.word
                     for case, outcome in compared.jail.cases.items())
        left_out = len(compared.bare.left_out)
        notes += [f"{differ} differ" if differ else "", f"{left_out} not run" if left_out else ""]
    notes += [f"second try: {case}" for case in compared.second_try]
    word = "FAIL" if compared.wrong else "ok"
    print(f"{word:5} {seconds:6.2f} s  {compared.name:32} {count}  {', '.join(filter(None, notes))}", flush=True)
    for case, sentence in compared.wrong:
        print(f"      {case} {sentence}")
        for module in filter(None, (compared.bare, compared.jail)):
            outcome = module.cases.get(case)
            if outcome is not None and outcome.word != "ok" and outcome.why:
                print("        | " + "\n        | ".join(outcome.why.rstrip().splitlines()[-12:]))


def in_parallel(function, arguments):
    """Calls `function` with each of the tuples; yields what it returns as it comes."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for future in concurrent.futures.as_completed([pool.submit(function, *one) for one in arguments]):
            yield future.result()


def check_fatal(jail, differences):
    """Runs each case that is left out because it would end its jail, and returns those that end otherwise."""
    wrong = []

    def check(pattern, entry, name):
        module = run_module(jail, name, (), (pattern, ))
        return [(case, f"is listed as ending its jail by {entry.jail} and is {outcome.word}")
                for case, outcome in module.cases.items() if outcome.word != entry.jail]

    def is_of(pattern, name):
        return fnmatch.fnmatchcase(name, ".".join(pattern.split(".")[:name.count(".") + 1]))

    work = [(pattern, entry, name) for entry in differences.fatal for pattern in entry.cases for name in ALL
            if is_of(pattern, name)]
    for found in in_parallel(check, work):
        wrong += found
    for case, sentence in wrong:
        print(f"FAIL  {case} {sentence}")
    print(f"{len(work)} patterns of cases that end a jail, {len(wrong)} wrong", flush=True)
    return wrong


def summarize(results, differences, seconds):
    """How many cases there were, and of those that differ how many for which reason."""
    reasons = {}
    cases = sum(len(one.bare.cases) + len(one.bare.left_out) for one in results)
    for one in results:
        for case in {**one.bare.cases, **(one.jail.cases if one.jail else {})}:
            if (entry := differences.entry_of(case)) is not None:
                reasons.setdefault(f"{entry.jail}: {entry.reason}", []).append(case)
        for case in one.bare.left_out:
            reasons.setdefault(f"not run: {differences.why_not_run(case)}", []).append(case)
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"  {len(names):4}  {reason}")
    wrong = sum(len(one.wrong) for one in results)
    print(f"{len(results)} modules, {cases} cases, {sum(map(len, reasons.values()))} known to differ, {wrong} wrong; "
          f"{seconds:.0f} s")


def write_report(path, results):
    document = [dataclasses.asdict(one) for one in results]
    pathlib.Path(path).write_text(json.dumps(document, indent=1, default=sorted), encoding="utf-8")


def choose(options):
    """The modules to run, and which of their cases."""
    if options.test:
        return [(name, ALL.get(name, ["*"])) for name in options.test]
    return list((ALL if options.all else DEFAULT).items())


def run(options, places, differences):
    started = time.monotonic()
    results = []
    for compared in in_parallel(Comparison(places, differences).compare, choose(options)):
        results.append(compared)
        show(compared)
    summarize(results, differences, time.monotonic() - started)
    if options.report:
        write_report(options.report, results)
    stale = []
    if options.all:
        stale = differences.unmatched({case for one in results for case in (*one.bare.cases, *one.bare.left_out)})
    for pattern in stale:
        print(f"FAIL  {pattern} is in differences.toml, and no case has such a name")
    return bool(stale) or any(one.wrong for one in results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every module, and all of their cases")
    parser.add_argument("--test", action="extend", nargs="+", metavar="NAME", help="these modules: test_os …")
    parser.add_argument("--cold", action="store_true", help="no primed jails: each is built for its job")
    parser.add_argument("--bare-only", action="store_true", help="no jails, nothing to compare")
    parser.add_argument("--fatal", action="store_true", help="the cases that end their jail: that they still do")
    parser.add_argument("--report", metavar="FILE", help="writes what became of each case, and why, as JSON")
    options = parser.parse_args()
    image = prepare_image(os.environ.get("OUTRIGGER_CPYTHON_DIR") or REPOSITORY / "build" / "cpython")
    differences = Differences()
    if options.bare_only:
        sys.exit(run(options, [Bare(image)], differences))
    places = ["--runtimes-dir", str(image.runtimes_dir), "--images-dir", str(image.images_dir)]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the daemon goes with us, whoever ends us
    with Daemon(config=DAEMON_CONFIG + (COLD if options.cold else ""), args=places) as daemon:
        jail = Jail(daemon)
        if options.fatal:
            sys.exit(bool(check_fatal(jail, differences)))
        sys.exit(run(options, [Bare(image), jail], differences))


if __name__ == "__main__":
    main()
