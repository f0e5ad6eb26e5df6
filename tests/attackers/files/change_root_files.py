# attack: changes, removes, renames or re-owns what belongs to the root file system
# uses: attack.py
# expect: status=completed refusals=13
import os

from attack import done, tried

tried("open to write", lambda: os.open("/etc/passwd", os.O_WRONLY))
tried("truncate", lambda: os.truncate("/etc/passwd", 0))
tried("append", lambda: os.open("/etc/passwd", os.O_WRONLY | os.O_APPEND))
tried("unlink", lambda: os.unlink("/etc/passwd"))
tried("rename", lambda: os.rename("/etc/passwd", "/etc/passwd.old"))
tried("chmod", lambda: os.chmod("/etc/passwd", 0o666))
tried("chown", lambda: os.chown("/etc/passwd", 1000, 1000))
tried("utime", lambda: os.utime("/etc/passwd"))
tried("setxattr", lambda: os.setxattr("/etc/passwd", "user.mine", b"x"))
tried("mkdir in /", lambda: os.mkdir("/mine"))
tried("symlink in /etc", lambda: os.symlink("/tmp/work", "/etc/mine"))
tried("truncate an interpreter", lambda: os.truncate(os.path.realpath("/usr/bin/python3"), 0))
tried("chmod /", lambda: os.chmod("/", 0o777))
done()
