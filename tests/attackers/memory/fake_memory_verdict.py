# attack: lets a child be killed for memory and then kills itself the same way, to blur who died of what
# why: the rule asks for a killed main process and a count that rose; whose kill it was is not told apart
# expect: status=memory_exceeded exit_code=137 cause=memory_ceiling event=oom_kill stdout="child ended by 9"
import os
import signal

child = os.fork()
if child == 0:
    hog = []
    while len(hog) < 1024:
        hog.append(bytearray(b"x" * (1 << 20)))
    os._exit(0)
_, status = os.waitpid(child, 0)
print("child ended by", os.WTERMSIG(status) if os.WIFSIGNALED(status) else f"exit {status}", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
