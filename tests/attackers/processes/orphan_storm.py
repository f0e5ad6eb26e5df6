# attack: floods pid 1 with orphans to reap, more over time than there are tasks
# limits: cpu_cores=2.0,wall_time_ms=25000,cpu_time_ms=25000
# expect: status=completed stdout="reaped 200"
import os

for _ in range(200):
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            os._exit(0)
        os._exit(0)
    os.waitpid(child, 0)
print("reaped 200")
