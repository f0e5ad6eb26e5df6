# attack: reaches pid 1, and by it the host, through /proc: its memory, program, root, descriptors, environment
# uses: attack.py
# expect: status=completed refusals=26
import os

from attack import done, expect, tried

READ = os.O_RDONLY
for name in ("mem", "environ", "maps", "auxv", "stack", "syscall", "exe", "cwd", "root/etc/passwd", "fd/0", "fd/3",
             "fd/4", "fdinfo/3", "ns/net", "task/1/mem", "mountinfo", "attr/current", "stat"):
    tried(f"read /proc/1/{name}", lambda: os.read(os.open(f"/proc/1/{name}", READ), 1))
for name in ("mem", "exe", "oom_score_adj", "uid_map", "setgroups", "comm"):
    tried(f"write /proc/1/{name}", lambda: os.open(f"/proc/1/{name}", os.O_WRONLY))
seen = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
expect("/proc shows no process but its own", seen == [os.getpid()], seen)
others = []
for pid in range(1, 1000):
    for name in ("root", "cwd", "exe", "fd"):
        try:
            if pid != os.getpid():
                os.stat(f"/proc/{pid}/{name}/.")
                others.append(f"{pid}/{name}")
        except OSError:
            pass
expect("no other pid answers by number", not others, others)
done()
