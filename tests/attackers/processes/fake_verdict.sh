# attack: ends with the exit statuses and signals by which a careless keeper tells a limit or a violation
# expect: status=failed cause=exited
# case: exit_137 args="exit 137" exit_code=137
# case: exit_152 args="exit 152" exit_code=152
# case: exit_159 args="exit 159" exit_code=159
# case: sigsys args="kill -SYS" expect="status=signaled exit_code=159 signal=SIGSYS"
# why: SIGXCPU is the CPU limit's own signal, whoever sends it: the contract counts it, and the cause says how much was used
# case: sigxcpu args="kill -XCPU" expect="status=cpu_exceeded cause=cpu_time exit_code=152 signal=SIGXCPU"
# case: sigkill args="kill -KILL" expect="status=signaled exit_code=137 signal=SIGKILL"
if [ "$1" = exit ]; then exit "$2"; fi
"$1" "$2" $$
echo ESCAPED
