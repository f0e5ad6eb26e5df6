#!/bin/bash
# demo.sh   Starts a daemon of its own on a free port, runs one program in each language through the REST API, prints the
# results and stops the daemon. Exit status 0 only if all went well. Called by `make run`.
set -euo pipefail
bin=$(readlink -f "$(dirname "$0")/..")/build/bin
state=$(mktemp -d /tmp/outrigger-demo.XXXXXX)
log=$state/daemon.log
daemon=

stop() {
  status=$?
  trap - EXIT
  if [ -n "$daemon" ]; then
    kill -TERM "$daemon" 2>/dev/null || true
    wait "$daemon" || { echo "demo.sh: the daemon ended with status $?; its log:" >&2; cat "$log" >&2; status=1; }
  fi
  rm -rf --one-file-system "$state"
  exit "$status"
}
trap stop EXIT
trap 'exit 130' INT TERM

"$bin/outriggerd" --listen 127.0.0.1:0 --state-dir "$state/daemon" 2>"$log" &
daemon=$!

# The daemon says where it listens once it is ready.
address=
for _ in $(seq 300); do
  address=$(sed -n 's/.* listening .*address=\([0-9.:]*\).*/\1/p' "$log")
  [ -z "$address" ] || break
  kill -0 "$daemon" 2>/dev/null || { daemon=; echo "demo.sh: the daemon did not start:" >&2; cat "$log" >&2; exit 1; }
  sleep 0.1
done
[ -n "$address" ] || { echo "demo.sh: the daemon was not ready within 30 s:" >&2; cat "$log" >&2; exit 1; }
echo "outriggerd listens on http://$address"

failed=0
run() {
  local language=$1
  echo "--- $language"
  "$bin/outrigger" run --server "http://$address" -l "$language" - || { echo "exit status $?"; failed=1; }
}

run python <<'PROGRAM'
import os, platform
print(f"Python {platform.python_version()}: 6 * 7 = {6 * 7}, I am pid {os.getpid()}, uid {os.getuid()} on {os.uname().nodename}")
PROGRAM
run node <<'PROGRAM'
const os = require("os");
console.log(`Node ${process.versions.node}: 6 * 7 = ${6 * 7}, I am pid ${process.pid}, uid ${process.getuid()} on ${os.hostname()}`);
PROGRAM
run bash <<'PROGRAM'
echo "Bash ${BASH_VERSION%%(*}: 6 * 7 = $((6 * 7)), I am pid $$, uid $UID on $HOSTNAME"
PROGRAM
exit "$failed"
