#!/usr/bin/env python3
"""Runs a program bare: in an image's tree, with its own namespaces and as nobody's root, but with no filter and no limit.

What it is to run comes as JSON on stdin: tree, files, environment, command. It is pid 1 of new namespaces that
unshare(1) made (`COMMAND`), and ends with its program.
"""

import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys

COMMAND = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--net", "--fork", "--kill-child", sys.executable,
           os.path.abspath(__file__)]
_GUEST = 1000
_DEVICES = {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}
_LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC = 1, 2, 4, 8, 32, 4096, 16384
_libc = ctypes.CDLL(None, use_errno=True)


def mount(source, target, kind=None, flags=0, options=None):
    texts = [text.encode() if text else None for text in (source, target, kind)]
    if _libc.mount(*texts, ctypes.c_ulong(flags), options.encode() if options else None) != 0:
        raise OSError(ctypes.get_errno(), "mount", target)


def make_root(tree):
    """Mounts what a jail has over the tree. Seen by this mount namespace only, which unshare(1) made private."""
    mount(tree, tree, None, _BIND | _REC)
    mount(None, tree, None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
    mount("tmpfs", f"{tree}/tmp", "tmpfs", _NOSUID | _NODEV, "mode=1777,size=256m")
    mount("proc", f"{tree}/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    mount("tmpfs", f"{tree}/dev", "tmpfs", _NOSUID | _NOEXEC, "mode=755")
    for name, minor in _DEVICES.items():
        os.mknod(f"{tree}/dev/{name}", 0o20666, os.makedev(1, minor))
        os.chmod(f"{tree}/dev/{name}", 0o666)
    for name, target in _LINKS.items():
        os.symlink(target, f"{tree}/dev/{name}")
    os.mkdir(f"{tree}/dev/shm")
    mount("tmpfs", f"{tree}/dev/shm", "tmpfs", _NOSUID | _NODEV | _NOEXEC, "mode=1777")
    for name in ("work", "home"):
        os.mkdir(f"{tree}/tmp/{name}")
        os.chown(f"{tree}/tmp/{name}", _GUEST, _GUEST)


def raise_loopback():
    """Sets IFF_UP on `lo`, as on any machine (SIOCSIFFLAGS): bare, the tests find what their authors had."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 1))


def become_guest(tree):
    os.setsid()
    os.chroot(tree)
    os.chdir("/tmp/work")
    os.setgroups([])
    os.setresgid(_GUEST, _GUEST, _GUEST)
    os.setresuid(_GUEST, _GUEST, _GUEST)
    os.umask(0o022)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))  # as a login has it
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # Python's own choices are inherited otherwise


def start(spec):
    pid = os.fork()
    if pid:
        return pid
    try:
        become_guest(spec["tree"])
        for name, content in spec["files"].items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(content)
        empty, end = os.pipe()
        os.close(end)
        os.dup2(empty, 0)
        os.execve(spec["command"][0], spec["command"], spec["environment"])
    finally:
        os._exit(127)


def main():
    spec = json.load(sys.stdin)
    make_root(spec["tree"])
    socket.sethostname("sandbox")
    raise_loopback()
    program = start(spec)
    while True:
        pid, status = os.wait()
        if pid == program:
            sys.exit(0 if status == 0 else 1)


if __name__ == "__main__":
    main()
