# attack: writes wherever it can reach, and looks for a place that lets it
# expect: status=completed stdout~="writable: /dev/shm /tmp"
import os

SCRATCH = ("/tmp", "/dev/shm")


def is_scratch(path):
    return any(path == top or path.startswith(top + "/") for top in SCRATCH)


def takes_a_file(directory):
    path = os.path.join(directory, "left_by_attacker")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:
        return False
    os.unlink(path)
    return True


writable = [top for top in SCRATCH if takes_a_file(top)]
for directory, names, files in os.walk("/"):
    if directory == "/proc":
        names.clear()
        continue
    if not is_scratch(directory) and takes_a_file(directory):
        print("ESCAPED", directory, "takes a file", flush=True)
    for name in files:
        path = os.path.join(directory, name)
        if is_scratch(path) or path.startswith("/dev/") or os.path.islink(path):
            continue
        if os.access(path, os.W_OK):
            print("ESCAPED", path, "is writable", flush=True)
print("writable:", *sorted(writable), flush=True)
