# attack: lets a child take the memory, so that the main process seems innocent
# why: the rule is that the status is the main process's own, and the kill an event: nothing is silent
# expect: status=completed event=oom_kill stdout="child ended by 9"
import os

child = os.fork()
if child == 0:
    hog = []
    while len(hog) < 1024:
        hog.append(bytearray(b"x" * (1 << 20)))
    os.write(1, b"ESCAPED 1 GiB of memory\n")
    os._exit(0)
_, status = os.waitpid(child, 0)
print("child ended by", os.WTERMSIG(status) if os.WIFSIGNALED(status) else f"exit {status}", flush=True)
