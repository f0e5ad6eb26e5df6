#!/bin/bash
# run.sh BUILD_DIR SECONDS   Runs each fuzzer of BUILD_DIR for so long. What it learns stays in BUILD_DIR/corpus/NAME,
# what it finds in BUILD_DIR/findings/NAME: then the exit status is 1.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 2,3p "$0" | cut -c3- >&2; exit 2; }
build=$1 seconds=$2
seeds=$(readlink -f "$(dirname "$0")")/seeds

figure() { sed -n "s/^stat::$1: *//p" "$log"; }

found=0
for seed in "$seeds"/*/; do
  name=$(basename "$seed")
  corpus=$build/corpus/$name findings=$build/findings/$name log=$build/$name.log
  mkdir -p "$corpus" "$findings"
  if "$build/bin/fuzz_$name" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
      -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" "$seed" >"$log" 2>&1; then
    echo "$name: $(figure number_of_executed_units) inputs, $(figure average_exec_per_sec) a second: nothing found"
  else
    found=1
    echo "$name: something was found; the input is in $findings, and $log ends with"
    tail -n 40 "$log"
  fi
done
exit $found
