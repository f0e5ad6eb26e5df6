# attack: goes on turning files into links and back in processes that outlive the program, while files are collected
# collect: ? good
# expect: status=completed stdout=ended files_only=fine,symlink,x
# limits: pids=16
import os
import time

open("good", "w").write("fine")
for _ in range(6):
    if os.fork() == 0:
        os.setsid()
        while True:
            for name in ("a", "b", "c"):
                own = name + str(os.getpid())
                try:
                    os.symlink("/etc/passwd", own + "_")
                    os.rename(own + "_", name)
                    with open(own + "+", "w") as file:
                        file.write("x")
                    os.rename(own + "+", name)
                except OSError:
                    pass
time.sleep(0.2)
print("ended")
