#!/bin/bash
# entrypoint.sh COMMAND [ARGS...]
# The container's first process, for as long as it takes to make a place for the jobs' control groups; then COMMAND is.
#
# An engine gives a container a control group of its own, shows it as /sys/fs/cgroup (a cgroup namespace), and mounts it
# read-only. cgroup v2 allows processes only in leaves, and this one has a process in it: us. So we move into a leaf,
# and hand the controllers down to it. Only this container's own subtree can be seen or written here.
set -euo pipefail

own=/sys/fs/cgroup
leaf=$own/service

# Only a group below the machine's root has this file: without a cgroup namespace there is nothing to do here.
if [ -e "$own/cgroup.type" ]; then
  # -w asks the mode bits; whether the mount is writable only a try tells.
  mkdir "$leaf" 2> /dev/null || [ -d "$leaf" ] || { mount -o remount,bind,rw "$own" && mkdir "$leaf"; }
  # All that are here, though it should be us alone; who has ended meanwhile can't be moved.
  while read -r pid; do echo "$pid" 2> /dev/null > "$leaf/cgroup.procs" || true; done < "$own/cgroup.procs"
  echo "+memory +cpu +pids" > "$own/cgroup.subtree_control"
fi

# OUTRIGGER_TOKENS_FILE=/run/secrets/tokens: the variable's value is in that file. Only root reads the environment of
# this process, and nothing it starts inherits it.
for variable in "${!OUTRIGGER_@}"; do
  [[ $variable == *_FILE ]] || continue
  value=$(< "${!variable}")
  export "${variable%_FILE}=$value"
  unset "$variable"
done
exec "$@"
