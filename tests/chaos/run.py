#!/usr/bin/env python3
"""Runs the chaos tests: `tests/chaos/run.py [WORD…]` runs those whose names hold one of the words, all without any.

Prints a table at the end: what was done to whom, how many jobs there were, how many were lost and doubled. Exit status
0 when every test passed, 1 otherwise.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from support.runner import run_folder  # noqa: E402
from chaos.fleet import TABLE  # noqa: E402


def main(words):
    status = run_folder("chaos", words)
    print(f"{'fault':58} {'jobs':>5} {'rows':>5} {'results':>7} {'lost':>5} {'doubled':>7}")
    for line in TABLE:
        print(f"{line['fault']:58} {line['jobs']:5} {line['rows']:5} {line['results']:>7} {line['lost']:5} "
              f"{line['doubled']:7}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
