# attack: makes names in its own directory for files that are not its own
# uses: attack.py
# expect: status=completed refusals=6
import os

from attack import done, expect, tried

tried("hard link to /etc/passwd", lambda: os.link("/etc/passwd", "/tmp/work/passwd"))
tried("hard link to a program", lambda: os.link("/bin/bash", "/tmp/work/bash"))
tried("hard link to init", lambda: os.link("/proc/1/exe", "/tmp/work/init"))
tried("hard link through a descriptor", lambda: os.link(f"/proc/self/fd/{os.open('/etc/passwd', os.O_RDONLY)}",
                                                        "/tmp/work/passwd2", follow_symlinks=True))
os.symlink("/etc/passwd", "/tmp/work/soft")
tried("write through a symbolic link", lambda: os.open("/tmp/work/soft", os.O_WRONLY))
os.symlink("/" + "../" * 40 + "proc/1/root/etc/shadow", "/tmp/work/up")
try:
    content = open("/tmp/work/up", "rb").read()
except OSError:
    content = b""
expect("no way up past the root", not content, content)
done()
