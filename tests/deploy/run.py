#!/usr/bin/env python3
"""Runs the tests of deploy/: `tests/deploy/run.py [WORD…]` runs those whose names hold one of the words, all without any.

No container engine and no network are needed. Exit status 0 when every test passed, 1 otherwise.
"""

import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from api.run import TimedResult, select  # noqa: E402


def main(words):
    loader = unittest.TestLoader()
    suite = select(loader.discover(str(TESTS / "deploy"), top_level_dir=str(TESTS)), words)
    if loader.errors or suite.countTestCases() == 0:
        print("\n".join(loader.errors) or f"no test's name holds any of {words}", file=sys.stderr)
        return 1
    result = unittest.TextTestRunner(sys.stdout, verbosity=0, resultclass=TimedResult).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
