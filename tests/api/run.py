#!/usr/bin/env python3
"""Runs the API tests: `tests/api/run.py [WORD…]` runs those whose names hold one of the words, all without any.

Exit status 0 when every test passed, 1 otherwise.
"""

import pathlib
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


def select(suite, words):
    chosen = unittest.TestSuite()
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            chosen.addTest(select(entry, words))
        elif not words or any(word in entry.id() for word in words):
            chosen.addTest(entry)
    return chosen


def run_folder(name, words):
    """Runs the tests of one folder of tests/; the exit status."""
    sys.path.insert(0, str(TESTS))
    loader = unittest.TestLoader()
    suite = select(loader.discover(str(TESTS / name), top_level_dir=str(TESTS)), words)
    if loader.errors or suite.countTestCases() == 0:
        print("\n".join(loader.errors) or f"no test's name holds any of {words}", file=sys.stderr)
        return 1
    result = unittest.TextTestRunner(sys.stdout, verbosity=0, resultclass=TimedResult).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(run_folder("api", sys.argv[1:]))
