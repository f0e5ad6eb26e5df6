#!/usr/bin/env python3
"""Runs the tests of the languages built on demand: `tests/languages/run.py [WORD…]` those whose names hold one of the words.

Their images are made first, where they are not there yet, as many at a time as there are processors.

  OUTRIGGER_BIN             the programs' directory (default build/bin)
  OUTRIGGER_LANGUAGES_DIR   where the images are kept (default languages/ beside it)
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from support.runner import run_folder  # noqa: E402
from languages.images import build_all  # noqa: E402


def main(words):
    if not build_all():
        return 1
    return run_folder("languages", words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
