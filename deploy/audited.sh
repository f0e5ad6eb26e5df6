#!/bin/bash
# audited.sh COMMAND [ARGS...]
# Becomes COMMAND, which is the daemon. Beside it there is an auditor, started again whenever it ends.
#
# Both in one container, for another would not see the jobs: the daemon's control groups, the processes of its jails and
# the names by which it tells of them are those of its own namespaces. COMMAND is the container's first process: when it
# ends, the kernel ends the auditor at whatever it does. The ledgers bear that; summaries it has not taken wait in the
# spool for the next start.
set -euo pipefail

if [ "$1" = --watch ]; then
  while true; do
    crows-nest watch || echo "audited.sh: the auditor ended with status $?; it is started again" >&2
    sleep 1
  done
fi
# Of what the container may do these two. deploy/systemd/crows-nest.service says what for.
setpriv --bounding-set -all,+dac_override,+sys_ptrace --inh-caps -all -- "$0" --watch &
exec "$@"
