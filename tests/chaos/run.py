#!/usr/bin/env python3
"""Runs the chaos tests: `tests/chaos/run.py [WORD…]` runs those whose names hold one of the words, all without any.

Prints a table at the end: what was done to whom, how many jobs there were, how many were lost and doubled. Exit status
0 when every test passed, 1 otherwise.
"""

import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from api.run import TimedResult, select  # noqa: E402
from chaos.fleet import TABLE  # noqa: E402


def main(words):
    loader = unittest.TestLoader()
    suite = select(loader.discover(str(TESTS / "chaos"), top_level_dir=str(TESTS)), words)
    if loader.errors or suite.countTestCases() == 0:
        print("\n".join(loader.errors) or f"no test's name holds any of {words}", file=sys.stderr)
        return 1
    result = unittest.TextTestRunner(resultclass=TimedResult, verbosity=0).run(suite)
    print(f"{'fault':58} {'jobs':>5} {'rows':>5} {'results':>7} {'lost':>5} {'doubled':>7}")
    for line in TABLE:
        print(f"{line['fault']:58} {line['jobs']:5} {line['rows']:5} {line['results']:>7} {line['lost']:5} "
              f"{line['doubled']:7}")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
