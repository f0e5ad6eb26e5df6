# attack: looks for a program that gives more rights than its caller has, and makes one
# limits: cpu_cores=2.0,wall_time_ms=25000,cpu_time_ms=25000
# uses: attack.py
# expect: status=completed refusals=3
import os
import shutil
import stat
import subprocess

from attack import done, expect

# Where no programs are: not the jail's, or thousands of files of data.
PRUNED = ("/proc", "/tmp", "/dev", "/usr/share", "/usr/lib/python3", "/usr/lib/python3.11")


def gives_rights(path):
    info = os.lstat(path)
    if not stat.S_ISREG(info.st_mode) or not info.st_mode & 0o111:
        return False
    if info.st_mode & (stat.S_ISUID | stat.S_ISGID):
        return True
    try:
        os.getxattr(path, "security.capability", follow_symlinks=False)
    except OSError:
        return False
    return True


found = []
for directory, names, files in os.walk("/"):
    names[:] = [name for name in names if os.path.join(directory, name) not in PRUNED]
    found += [path for name in files if gives_rights(path := os.path.join(directory, name))]
expect("no setuid, setgid or capable file in the image", not found, found)
shutil.copy("/usr/bin/id", "/tmp/work/id")
os.chmod("/tmp/work/id", 0o6755)
says = subprocess.run(["/tmp/work/id"], capture_output=True, text=True).stdout
expect("a setuid program of its own gives nothing", "uid=1000" in says and "euid" not in says, says)
status = subprocess.run(["/bin/cat", "/proc/self/status"], capture_output=True, text=True).stdout
capabilities = [line for line in status.splitlines() if line.startswith("Cap")]
expect("no capability after exec",
       len(capabilities) == 5 and all(set(line.split()[1]) == {"0"} for line in capabilities), capabilities)
done()
