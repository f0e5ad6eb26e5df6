"""Prometheus's own checker."""

import subprocess


def promtool(*arguments, text=None):
    """What it says; a failure where its exit status is not 0, as for a page or a rule that it would word otherwise."""
    ended = subprocess.run(["promtool", *map(str, arguments)], input=text, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr
