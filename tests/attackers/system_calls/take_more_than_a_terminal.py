# attack: makes of its terminal another one, the console's, or one of the host's
# uses: attack.py
# terminal: yes
# expect: status=completed refusals=24
import ctypes
import os

from attack import done, expect, tried

libc = ctypes.CDLL(None, use_errno=True)


def control(request, value=1):
    if libc.ioctl(0, ctypes.c_ulong(request), ctypes.byref(ctypes.c_int(value))) != 0:
        raise OSError(ctypes.get_errno(), "ioctl")


# As <asm-generic/ioctls.h> has them.
for name, request in (("TIOCCONS", 0x541D), ("TIOCSETD", 0x5423), ("TIOCSCTTY", 0x540E), ("TIOCPKT", 0x5420),
                      ("TIOCVHANGUP", 0x5437), ("TIOCSSERIAL", 0x541F), ("TIOCGPTPEER", 0x5441), ("TIOCEXCL", 0x540C),
                      ("TIOCNOTTY", 0x5422), ("TIOCGDEV", 0x80045432), ("TCSETS2", 0x402C542B)):
    tried(name, lambda: control(request))
for path in ("/dev/ptmx", "/dev/pts/ptmx", "/dev/pts/1", "/dev/console", "/dev/tty0", "/dev/tty1", "/dev/ttyS0", "/dev/vcs"):
    tried(path, lambda: os.open(path, os.O_RDWR))
tried("a file in devpts", lambda: open("/dev/pts/x", "w"))
tried("another owner", lambda: os.chown("/dev/pts/0", 0, 0))
expect("one devpts, and nothing of the host's", sorted(os.listdir("/dev/pts")) == ["0", "ptmx"], os.listdir("/dev/pts"))
expect("no master in reach", [os.readlink(f"/proc/self/fd/{fd}") for fd in (0, 1, 2)] == ["/dev/pts/0"] * 3)
expect("a session of its own", os.getsid(0) == os.getpid() == os.tcgetpgrp(0), (os.getsid(0), os.tcgetpgrp(0)))
done()
