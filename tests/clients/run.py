#!/usr/bin/env python3
"""Runs the tests of clients, our own and other people's: `tests/clients/run.py [WORD…]` those whose names hold one of the words.

The clients come from npm, in exactly the versions of package-lock.json, into build/clients; an install that is up to date
is left alone. Exit status 0 when every test passed, 1 otherwise.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from support.runner import run_folder  # noqa: E402
from clients.node import install  # noqa: E402

if __name__ == "__main__":
    install()
    sys.exit(run_folder("clients", sys.argv[1:]))
