"""Runs a program without Outrigger: the same image with the same interpreter, in fresh namespaces and nothing more.

No filter, no control group, no limit, no daemon. What a program shows here is what it shows anywhere.
"""

import contextlib
import ctypes
import dataclasses
import os
import pathlib
import resource
import selectors
import signal
import stat
import time

_GUEST = 1000
_WORK = "/tmp/work"
_SECONDS = 60
# <sched.h>, <sys/mount.h>, <sys/prctl.h>: os has them from Python 3.12 on.
_NEW_NAMESPACES = 0x00020000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000  # mount, uts, ipc, pid, net
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_SYS_RT_SIGACTION = 13
_PR_SET_PDEATHSIG = 1
_DEVICES = {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}
_DEVICE_LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1",
                 "stderr": "/proc/self/fd/2"}

_libc = ctypes.CDLL(None, use_errno=True)


@dataclasses.dataclass
class Ending:
    """All that is seen of a program from outside."""

    how: str  # "exit 3", "SIGTERM"
    stdout: bytes
    stderr: bytes


@dataclasses.dataclass
class Task:
    """What is run: `root` is the image's tree, `files` are laid in the working directory."""

    root: pathlib.Path
    command: list
    env: dict
    files: dict
    stdin: bytes


def environment(definition, more):
    """What src/run/launch_payload.cc gives a program, in its order."""
    fixed = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp/home", "LANG": "C.UTF-8", "TZ": "UTC",
             "USER": "sandbox", "PWD": _WORK}
    return {**fixed, **definition.get("env", {}), **more}


def run(task):
    """Runs it to its end. To be called in a process of one thread: it forks."""
    stdin, stdout, stderr, report = (os.pipe() for _ in range(4))
    # All at once: a pipe holds 64 KiB, and no program here is given more.
    os.write(stdin[1], task.stdin)
    os.close(stdin[1])
    outside = os.fork()
    if outside == 0:
        _never_return(_outside, task, (stdin[0], stdout[1], stderr[1]), report[1])
    for end in (stdin[0], stdout[1], stderr[1], report[1]):
        os.close(end)
    out, err, said = _read_all([stdout[0], stderr[0], report[0]], outside)
    os.waitpid(outside, 0)
    if not said.isdigit():
        raise RuntimeError(f"a bare program could not be run: {said.decode()}")
    return Ending(_describe(int(said)), out, err)


def _describe(wait_status):
    code = os.waitstatus_to_exitcode(wait_status)
    return f"exit {code}" if code >= 0 else signal.Signals(-code).name


def _read_all(descriptors, outside):
    """Everything up to the end of each; a program that hangs is killed with its namespace."""
    deadline = time.monotonic() + _SECONDS
    content = {descriptor: b"" for descriptor in descriptors}
    with selectors.DefaultSelector() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            if time.monotonic() > deadline:
                os.kill(outside, signal.SIGKILL)
            for key, _ in selector.select(1):
                if data := os.read(key.fd, 65536):
                    content[key.fd] += data
                else:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return content.values()


def _never_return(function, task, streams, report):
    """What a forked process does; what goes wrong in it is told on `report` instead of a wait status."""
    try:
        function(task, streams, report)
    except BaseException as error:  # noqa: BLE001: nothing of this process may run on
        os.write(report, repr(error).encode())
    os._exit(1)


def _outside(task, streams, report):
    """The parent of the new pid namespace's first process, which it takes with it when it is killed."""
    _call("unshare", _NEW_NAMESPACES)
    first = os.fork()
    if first == 0:
        _call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL)
        _never_return(_first, task, streams, report)
    os.waitpid(first, 0)
    os._exit(0)


def _first(task, streams, report):
    """Pid 1: reaps what dies, and ends with the program, and all with it."""
    os.umask(0)
    _mount_root(task.root)
    _call("sethostname", b"sandbox", len(b"sandbox"))
    program = os.fork()
    if program == 0:
        _never_return(_program, task, streams, report)
    while True:
        pid, status = os.wait()
        if pid == program:
            os.write(report, str(status).encode())
            os._exit(0)


def _program(task, streams, _report):
    """Pid 2: as the guest of a jail, with nothing of the suite's left in it."""
    for number, stream in enumerate(streams):
        os.fchown(stream, _GUEST, _GUEST)  # or it could not be opened again by name
        os.dup2(stream, number)
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2:
            with contextlib.suppress(OSError):  # the listing's own
                os.set_inheritable(descriptor, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _reset_dispositions()
    os.setgroups([])
    os.setresgid(_GUEST, _GUEST, _GUEST)
    os.setresuid(_GUEST, _GUEST, _GUEST)
    os.setsid()
    os.umask(0o022)
    os.chdir(_WORK)
    for name, content in task.files.items():
        path = pathlib.Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    os.execve(task.command[0], task.command, task.env)


def _reset_dispositions():
    """By the raw call: libc keeps two signals for itself, which whoever started this may have left ignored."""
    default = (ctypes.c_ulong * 4)()
    for number in range(1, 65):
        ctypes.CDLL(None).syscall(_SYS_RT_SIGACTION, number, ctypes.byref(default), None, 8)


def _mount_root(root):
    _mount("none", "/", None, _REC | _PRIVATE)
    _mount(root, root, None, _BIND | _REC)
    _mount("none", root, None, _BIND | _REMOUNT | _RDONLY)
    os.chroot(root)
    os.chdir("/")
    _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC | _RDONLY, "hidepid=2")
    _mount("tmpfs", "/tmp", "tmpfs", _NOSUID | _NODEV, "mode=1777")
    for directory in (_WORK, "/tmp/home"):
        os.mkdir(directory, 0o755)
        os.chown(directory, _GUEST, _GUEST)
    _make_devices()


def _make_devices():
    _mount("tmpfs", "/dev", "tmpfs", _NOSUID | _NOEXEC, "mode=755")
    for name, minor in _DEVICES.items():
        os.mknod(f"/dev/{name}", stat.S_IFCHR | 0o666, os.makedev(1, minor))
    for name, target in _DEVICE_LINKS.items():
        os.symlink(target, f"/dev/{name}")
    os.mkdir("/dev/shm")
    _mount("tmpfs", "/dev/shm", "tmpfs", _NOSUID | _NODEV | _NOEXEC, "mode=1777")


def _mount(source, target, kind, flags, options=None):
    encoded = (None if word is None else os.fsencode(word) for word in (source, target, kind))
    _call("mount", *encoded, flags, None if options is None else options.encode())


def _call(name, *arguments):
    if getattr(_libc, name)(*arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}{arguments}: {os.strerror(error)}")
