"""in_filter.py CALL,CALL… COMMAND…   Becomes COMMAND; any other system call fails with EPERM, as under systemd."""

import ctypes
import errno
import os
import sys

REFUSE = 0x00050000 | errno.EPERM  # SCMP_ACT_ERRNO
ALLOW = 0x7FFF0000
UNKNOWN = -1  # __NR_SCMP_ERROR: not of this machine


def load(names):
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(REFUSE)))
    for name in names:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number != UNKNOWN and library.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), number, 0) != 0:
            raise OSError(f"no rule for {name}")
    if library.seccomp_load(context) != 0:
        raise OSError("the filter could not be loaded")


if __name__ == "__main__":
    load(sys.argv[1].split(","))
    os.execvp(sys.argv[2], sys.argv[2:])
