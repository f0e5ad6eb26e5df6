#!/usr/bin/env python3
"""Runs the tests of deploy/: `tests/deploy/run.py [WORD…]` runs those whose names hold one of the words, all without any.

No container engine and no network are needed. Exit status 0 when every test passed, 1 otherwise.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from support.runner import run_folder  # noqa: E402

if __name__ == "__main__":
    sys.exit(run_folder("deploy", sys.argv[1:]))
