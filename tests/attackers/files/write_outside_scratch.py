# attack: looks through all directories for one that lets it write
# limits: cpu_cores=2.0,wall_time_ms=25000,cpu_time_ms=25000
# expect: status=completed stdout="writable: /dev/shm /tmp"
import os

SCRATCH = ("/tmp", "/dev/shm")
PRUNED = (*SCRATCH, "/proc", "/usr/share/zoneinfo", "/usr/lib/python3.11")


def takes_a_file(directory):
    path = os.path.join(directory, "left_by_attacker")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:
        return False
    os.unlink(path)
    return True


for directory, names, files in os.walk("/"):
    names[:] = [name for name in names if os.path.join(directory, name) not in PRUNED]
    if takes_a_file(directory):
        print("ESCAPED", directory, "takes a file", flush=True)
    # One file speaks for its directory: they come from the same image.
    for name in files[:1]:
        path = os.path.join(directory, name)
        if not path.startswith("/dev/") and not os.path.islink(path) and os.access(path, os.W_OK):
            print("ESCAPED", path, "is writable", flush=True)
print("writable:", *sorted(top for top in SCRATCH if takes_a_file(top)), flush=True)
