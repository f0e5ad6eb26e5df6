# attack: looks for a program that gives more rights than its caller has, and makes one
# uses: attack.py
# expect: status=completed refusals=3
import os
import shutil
import stat
import subprocess

from attack import done, expect

found = []
for directory, names, files in os.walk("/"):
    if directory in ("/proc", "/tmp", "/dev"):
        names.clear()
        continue
    for name in files:
        path = os.path.join(directory, name)
        info = os.lstat(path)
        if stat.S_ISREG(info.st_mode) and info.st_mode & (stat.S_ISUID | stat.S_ISGID):
            found.append(path)
        try:
            os.getxattr(path, "security.capability", follow_symlinks=False)
        except OSError:
            continue
        found.append(path)
expect("no setuid, setgid or capable file in the image", not found, found)
shutil.copy("/usr/bin/id", "/tmp/work/id")
os.chmod("/tmp/work/id", 0o6755)
says = subprocess.run(["/tmp/work/id"], capture_output=True, text=True).stdout
expect("a setuid program of its own gives nothing", "uid=1000" in says and "euid" not in says, says)
status = subprocess.run(["/bin/cat", "/proc/self/status"], capture_output=True, text=True).stdout
capabilities = [line for line in status.splitlines() if line.startswith("Cap")]
expect("no capability after exec", len(capabilities) == 5 and all(set(line.split()[1]) == {"0"} for line in capabilities),
       capabilities)
done()
