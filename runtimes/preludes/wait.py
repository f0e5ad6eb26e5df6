# Python's prelude: imported by `site` as sitecustomize before the main program is looked for, it waits in a sealed jail
# for a job, lays the job out as sandbox_init does for a program that is exec'd (src/jail/plan.h has the format), and
# returns. Python then runs the main program by itself, so that what it sees is Python's own doing. Nothing of this module
# is left to be seen: the machine's own sitecustomize takes its name and place.
def _wait():
    import os
    import sys

    launch_fd = 4
    here = os.path.dirname(__file__)

    def read_exactly(size):
        parts = []
        while size > 0:
            part = os.read(launch_fd, min(size, 1 << 20))
            if not part:
                os._exit(0)  # nobody has a job for us any more
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def read_number(size=4):
        return int.from_bytes(read_exactly(size), sys.byteorder)

    def lay_file():
        path_bytes, mode, size = read_number(), read_number(), read_number(8)
        path = read_exactly(path_bytes)[:-1]
        parent = os.path.dirname(path)
        if parent:
            os.makedirs(parent, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        while size > 0:
            chunk = read_exactly(min(size, 1 << 16))
            size -= len(chunk)
            while chunk:
                chunk = chunk[os.write(file, chunk):]
        os.fchmod(file, mode & 0o777)
        os.close(file)

    compile("import x\nclass A:\n    def f(self): return [i for i in {}]\n", "", "exec")  # builds the AST's types, once
    os.unlink(__file__)
    os.rmdir(here)
    sys.path.remove(here)
    sys.path_importer_cache.pop(here, None)
    os.write(launch_fd, b"P")

    argc, envc, strings_bytes, files, _flags, command_argc = [read_number() for _ in range(6)]
    read_number(8)  # RLIMIT_CPU: set before this interpreter was started
    strings = read_exactly(strings_bytes).split(b"\0")
    arguments = [os.fsdecode(one) for one in strings[command_argc:argc]]
    sys.argv.extend(arguments)
    sys.orig_argv.extend(arguments)
    os.environ.clear()
    for variable in strings[argc:argc + envc]:
        name, _, value = variable.partition(b"=")
        os.environb[name] = value
    for _ in range(files):
        lay_file()
    os.close(launch_fd)


_wait()

import sys  # noqa: E402

del sys.modules[__name__]
try:
    import sitecustomize  # noqa: E402, F401: the one that would have been imported without this prelude
except ImportError:
    pass
