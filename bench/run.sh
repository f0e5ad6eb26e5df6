#!/bin/sh
# Measures and prints one table; `make bench` builds what it needs first. Needs root, as jails do.
# Takes about eight minutes. The exit status is 1 where a number to reach was missed.
set -eu
cd "$(dirname "$0")/.."
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench exec python3 -m measure "$@"
