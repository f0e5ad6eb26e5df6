# attack: opens a connection the way an ordinary program does
# expect: status=security_violation syscall=socket exit_code=159 signal=SIGSYS cause=seccomp stdout=before
import socket

print("before", flush=True)
socket.create_connection(("127.0.0.1", 8080))
print("ESCAPED connected", flush=True)
