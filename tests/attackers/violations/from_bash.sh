# attack: opens a connection by the shell's own device
# expect: status=security_violation syscall=socket exit_code=159 signal=SIGSYS cause=seccomp stdout=before
echo before
exec 3<> /dev/tcp/127.0.0.1/8080 && echo ESCAPED connected
echo ESCAPED refused only
