#!/usr/bin/env python3
"""run.py [--language L]… [--variant V]… [--filter REGEX] [--show] [--list]

Runs every program under tests/conformance/ bare (bare.py) and through a daemon, in each way a daemon can run it
(variants.py), and compares what is seen of it: how it ended, its stdout, its stderr, to the byte. A program that differs
is named with the difference; the exit status is 0 only if none does.

`--variant bare` runs the programs bare a second time: one that differs from itself says nothing about a jail.

  OUTRIGGER_BIN   the programs' directory (default build/bin); the images lie in ../images
"""

import argparse
import base64
import concurrent.futures
import difflib
import fnmatch
import multiprocessing
import pathlib
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from conformance import bare  # noqa: E402
from conformance.programs import LANGUAGES, load_all  # noqa: E402
from conformance.variants import all_variants, load_definition  # noqa: E402
from support.daemon import Daemon  # noqa: E402
from support.process import DaemonFailed, program as path_of  # noqa: E402

WORKERS = 4
# Others are Outrigger's own verdicts, which no program has bare.
_ENDED_BY_ITSELF = ("completed", "failed", "signaled")
_SHOWN = 400  # characters of a line that differs
_PRIMING_SECONDS = 60


class Shelves:
    """Lets a request go when a primed jail is there for it, and counts those that found one."""
    def __init__(self, daemon, languages):
        self._daemon = daemon
        self._locks = {language: threading.Lock() for language in languages}
        self._sent = dict.fromkeys(languages, 0)

    def wait(self, language):
        """Returns when one more is ready than requests are on their way that have not taken theirs yet."""
        with self._locks[language]:
            deadline = time.monotonic() + _PRIMING_SECONDS
            while not self._is_free(language):
                if time.monotonic() > deadline:
                    raise DaemonFailed(f"no primed jail for {language} in {_PRIMING_SECONDS} s")
                time.sleep(0.01)  # seldom enough that asking takes nothing from the jails in the making
            self._sent[language] += 1

    def misses(self):
        """Sentences about requests that found none."""
        found = {language: self._shelf(language)["hits"] for language in self._sent}
        return [f"{language}: {found[language]} of {sent} programs ran in a primed jail"
                for language, sent in self._sent.items() if found[language] != sent]

    def _is_free(self, language):
        shelf = self._shelf(language)
        return shelf["ready"] > self._sent[language] - shelf["hits"] - shelf["misses"]

    def _shelf(self, language):
        return next(shelf for shelf in self._daemon.health()["pool"]["primed"] if shelf["runtime"] == language)


def mixed(programs):
    """The languages side by side: those that start slowly do not have the machine wait for them alone."""
    place = {}
    for language in LANGUAGES:
        of_it = [program.name for program in programs if program.language == language]
        place.update((name, number / len(of_it)) for number, name in enumerate(of_it))
    return sorted(programs, key=lambda program: place[program.name])


def run_bare(program):
    definition = load_definition(program.language)
    images = pathlib.Path(path_of("outriggerd")).parents[1] / "images"
    files = {**program.files, definition["source_file"]: program.code.encode("utf-8")}
    return bare.run(bare.Task(images / definition["image"], definition["command"] + program.args,
                              bare.environment(definition, program.env), files, program.stdin.encode("utf-8")))


def run_all_bare(programs):
    """Each in a fork of a process that has one thread only."""
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(WORKERS, context, initializer=_ignore_interrupt) as pool:
        return list(pool.map(run_bare, programs))


def _ignore_interrupt():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_jailed(daemon, program):
    response = daemon.execute(program.request(), timeout=90)
    answer = response.json
    if response.status != 200:
        return bare.Ending(f"HTTP {response.status} {response.raw[:300]!r}", b"", b"")
    how = answer["signal"] or f"exit {answer['exit_code']}"
    if answer["status"] not in _ENDED_BY_ITSELF:
        how = f"{answer['status']}: {answer['cause']['text']}"
    return bare.Ending(how, base64.b64decode(answer["stdout"]), base64.b64decode(answer["stderr"]))


def sets_start_variable(program):
    """Such a program is run by an interpreter started for it, whatever the strategy."""
    patterns = load_definition(program.language).get("start_variables", [])
    return any(fnmatch.fnmatchcase(name, pattern) for name in program.env for pattern in patterns)


def run_variant(variant, programs, expected):
    """The endings of `programs`, and sentences about what else went wrong.

    One that differs is run once more, alone: on a machine that is busy elsewhere a program may see that. It is said.
    """
    with tempfile.TemporaryDirectory(prefix="outrigger-conformance-") as directory:
        runtimes = pathlib.Path(directory)
        runtimes.chmod(0o755)
        variant.write_runtimes(runtimes)
        with Daemon(config=variant.config, args=["--runtimes-dir", directory]) as daemon:
            shelves = Shelves(daemon, variant.languages)

            def one(program):
                if variant.primed and not sets_start_variable(program):
                    shelves.wait(program.language)
                return run_jailed(daemon, program)

            with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
                endings = list(pool.map(one, programs))
            for i, program in enumerate(programs):
                if endings[i] == expected[program.name]:
                    continue
                first, endings[i] = endings[i], one(program)
                if endings[i] == expected[program.name]:
                    print(f"at first {program.name} [{variant.name}]\n{difference(endings[i], first, variant.name)}")
            return endings, shelves.misses() if variant.primed else []


def as_lines(ending):
    lines = [f"ended: {ending.how}"]
    for name, content in (("stdout", ending.stdout), ("stderr", ending.stderr)):
        lines.append(f"-- {name}")
        text = content.decode("utf-8", "backslashreplace")
        lines += text.split("\n") if text.endswith("\n") else [*text.split("\n"), "(no newline)"]
    return lines


def difference(bare_ending, ending, variant):
    lines = difflib.unified_diff(as_lines(bare_ending), as_lines(ending), "bare", variant, lineterm="", n=1)
    return "\n".join(line if len(line) < _SHOWN else f"{line[:_SHOWN]}… ({len(line)} characters)" for line in lines)


def report(name, programs, expected, endings, complaints, seconds):
    """The differing programs of a variant; whether there are none."""
    differing = [(program, difference(one, other, name))
                 for program, one, other in zip(programs, expected, endings) if one != other]
    for program, text in differing:
        print(f"FAIL {program.name} [{name}]\n{text}", flush=True)
    for complaint in complaints:
        print(f"FAIL [{name}] {complaint}")
    print(f"{name}: {len(programs) - len(differing)} of {len(programs)} equal, {seconds:.1f} s", flush=True)
    return not differing and not complaints


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", action="append", choices=LANGUAGES, help="only programs in this language")
    parser.add_argument("--variant", action="append", metavar="V", help="only this way to run them")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only programs whose name it matches")
    parser.add_argument("--show", action="store_true", help="print what each program shows bare, and run nothing else")
    parser.add_argument("--list", action="store_true", help="the names of programs and variants")
    return parser.parse_args()


def choose_variants(languages, names):
    variants = all_variants(languages)
    known = [variant.name for variant in variants] + ["bare"]
    if unknown := set(names or ()) - set(known):
        sys.exit(f"run.py: no variant is called {', '.join(sorted(unknown))}: {', '.join(known)}")
    return [variant for variant in variants if not names or variant.name in names]


def main():
    options = parse_arguments()
    languages = tuple(options.language or LANGUAGES)
    programs = mixed(load_all(languages, options.filter))
    variants = choose_variants(languages, options.variant)
    if not programs:
        sys.exit(f"run.py: no program's name matches {options.filter!r}")
    if options.list:
        print(*(one.name for one in (*programs, *variants)), sep="\n")
        return
    started = time.monotonic()
    expected = dict(zip((program.name for program in programs), run_all_bare(programs)))
    print(f"bare: {len(programs)} programs, {time.monotonic() - started:.1f} s", flush=True)
    if options.show:
        for name, ending in expected.items():
            print("", name, *as_lines(ending), sep="\n")
        return
    equal = True
    if "bare" in (options.variant or ()):
        equal = report("bare", programs, expected.values(), run_all_bare(programs), [], time.monotonic() - started)
    for variant in variants:
        since = time.monotonic()
        chosen = [program for program in programs if program.language in variant.languages]
        endings, complaints = run_variant(variant, chosen, expected)
        equal &= report(variant.name, chosen, [expected[program.name] for program in chosen], endings, complaints,
                        time.monotonic() - since)
    print(f"{'all equal' if equal else 'NOT all equal'}, {time.monotonic() - started:.1f} s")
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
