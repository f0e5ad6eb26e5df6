"""Runs the tests of one folder: a line a test with its seconds, and where it may, several modules side by side.

    runner.run_folder("api", ["Limits"], lanes=2)

Each module's tests run one after the other, in a process of their own where there are lanes. A module that other work on
the machine would disturb says so: `ALONE = "why"`; it runs when the others are done.
"""

import collections
import concurrent.futures
import pathlib
import subprocess
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]


class TimedResult(unittest.TextTestResult):
    """One line a test, with the seconds it took, so that a slow one is seen before it is a nuisance."""
    def startTest(self, test):
        self._started = time.monotonic()
        unittest.TestResult.startTest(self, test)

    def _line(self, word, test):
        self.stream.writeln(f"{word:5} {time.monotonic() - self._started:6.2f} s  {test.id().removeprefix('api.')}")
        self.stream.flush()

    def addSuccess(self, test):
        unittest.TestResult.addSuccess(self, test)
        self._line("ok", test)

    def addFailure(self, test, err):
        unittest.TestResult.addFailure(self, test, err)
        self._line("FAIL", test)

    def addError(self, test, err):
        unittest.TestResult.addError(self, test, err)
        if isinstance(test, unittest.TestCase):
            self._line("ERROR", test)
        else:
            self.stream.writeln(f"ERROR in {test}")

    def addSkip(self, test, reason):
        # A test that does not run proves nothing: the suite has none, and none may creep in.
        self.addFailure(test, (AssertionError, AssertionError(f"skipped: {reason}"), None))

    def addSubTest(self, test, subtest, err):
        unittest.TestResult.addSubTest(self, test, subtest, err)
        if err is not None:
            self._line("FAIL", subtest)


def _cases(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from _cases(entry)
        else:
            yield entry


def _load(pattern, name, words):
    """The suite of the chosen tests in a folder's modules that match the pattern; None, once it is said, if there are
    none, or if a module cannot be loaded."""
    loader = unittest.TestLoader()
    found = loader.discover(str(TESTS / name), pattern, top_level_dir=str(TESTS))
    suite = unittest.TestSuite(test for test in _cases(found) if not words or any(word in test.id() for word in words))
    if loader.errors or suite.countTestCases() == 0:
        print("\n".join(loader.errors) or f"no test's name holds any of {words}", file=sys.stderr)
        return None
    return suite


def _run(suite):
    result = unittest.TextTestRunner(sys.stdout, verbosity=0, resultclass=TimedResult).run(suite)
    return 0 if result.wasSuccessful() else 1


def _run_module(module, words):
    command = [sys.executable, __file__, *module.split("."), *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return module, done


def _run_side_by_side(modules, words, lanes):
    """The modules that failed. What a module printed is shown when it is done, so that lines of two don't mix."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        for run in concurrent.futures.as_completed([pool.submit(_run_module, module, words) for module in modules]):
            module, done = run.result()
            print(f"-- {module}", done.stdout.decode(errors="replace"), sep="\n", end="", flush=True)
            if done.returncode != 0:
                failed.append(module)
    return failed


def run_folder(name, words, lanes=1):
    """Runs the tests of one folder of tests/ whose names hold one of the words, all without any; the exit status."""
    suite = _load("test_*.py", name, words)
    if suite is None:
        return 1
    sizes = collections.Counter(type(test).__module__ for test in suite)
    if lanes == 1 or len(sizes) == 1:
        return _run(suite)
    # The large ones first, or the last one to begin is the one that all wait for.
    modules = [module for module, _ in sizes.most_common()]
    alone = [module for module in modules if hasattr(sys.modules[module], "ALONE")]
    started = time.monotonic()
    failed = _run_side_by_side([module for module in modules if module not in alone], words, lanes)
    failed += _run_side_by_side(alone, words, lanes=1)
    print(f"== {sum(sizes.values())} tests of {len(modules)} modules in {time.monotonic() - started:.0f} s; "
          + (f"FAILED: {' '.join(failed)}" if failed else "all passed"))
    return 1 if failed else 0


def main(folder, module, words):
    """One module, for a lane."""
    sys.path[0] = str(TESTS)
    suite = _load(f"{module}.py", folder, words)
    return 1 if suite is None else _run(suite)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
