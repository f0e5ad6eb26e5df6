"""A PostgreSQL server of a test's own: in a temporary directory, on a free port of 127.0.0.1, with a password.

It can be stopped in every way servers stop, frozen as a machine that hangs is, and started again with what it has kept.
"""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

from support.process import DaemonFailed, children_of, free_port, is_alive, wait_until

_USER = "outrigger"
_PASSWORD = "not-a-secret"
_DATABASE = "audit"
_START_SECONDS = 60
_STOP_SECONDS = 60


def _program(name):
    """PostgreSQL's own programs are on no PATH in Debian."""
    for directory in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (directory / name).is_file():
            return str(directory / name)
    raise DaemonFailed(f"{name} is not below /usr/lib/postgresql: install the package postgresql")


class PostgresServer:
    """`sync` False: a crash of the machine may lose data, a crash of the server may not; quicker."""

    def __init__(self, sync=False):
        self._root = pathlib.Path(tempfile.mkdtemp(prefix="outrigger-postgres-"))
        self._data = self._root / "data"
        self._sync = sync
        self._process = None
        self.port = free_port()
        try:
            self._make()
            self.start()
            self.query(f"CREATE DATABASE {_DATABASE}", database="postgres")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def url(self):
        return f"postgresql://{_USER}:{_PASSWORD}@127.0.0.1:{self.port}/{_DATABASE}"

    def query(self, sql, database=_DATABASE):
        """The answer as psql prints it bare: a row a line, columns between bars."""
        command = ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", _USER,
                   "-d", database, "-c", sql]
        done = subprocess.run(command, env={**os.environ, "PGPASSWORD": _PASSWORD}, capture_output=True, text=True,
                              timeout=60, check=False)
        if done.returncode != 0:
            raise DaemonFailed(f"psql: {done.stderr.strip()}")
        return done.stdout.strip()

    def start(self):
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "",
                    "fsync": "on" if self._sync else "off", "max_connections": 50}
        command = [_program("postgres"), "-D", str(self._data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with open(self._root / "log", "ab") as log:
            # Should this process die, the server goes with it.
            self._process = subprocess.Popen(self._unprivileged(["--pdeathsig", "QUIT"], command), stdout=log,
                                             stderr=log, start_new_session=True, cwd="/")
        wait_until(self._answers, _START_SECONDS, f"PostgreSQL does not start: {self._log()}")

    def stop(self, mode="fast"):
        """fast: clients are sent away, everything is written out. immediate: as after a crash, but orderly."""
        self._process.send_signal({"fast": signal.SIGINT, "immediate": signal.SIGQUIT}[mode])
        self._process.wait(_STOP_SECONDS)

    def kill(self):
        """As the kernel's OOM killer would, only all of it at once."""
        pids = self._pids()
        self._signal(signal.SIGKILL)
        self._process.wait(_STOP_SECONDS)
        wait_until(lambda: not any(is_alive(pid) for pid in pids), _STOP_SECONDS, "PostgreSQL's processes end")

    def freeze(self):
        """Connections stand, and nobody answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self):
        self._signal(signal.SIGCONT)

    def close(self):
        if self._process is not None and self._process.poll() is None:
            self.thaw()
            self.stop("immediate")  # killed, it would leave a piece of shared memory behind
        shutil.rmtree(self._root, ignore_errors=True)

    def _make(self):
        password = self._root / "password"
        password.write_text(_PASSWORD, encoding="ascii")
        if os.geteuid() == 0:
            for path in (self._root, password):
                shutil.chown(path, "postgres", "postgres")
        # A locale that sorts as people do: what must sort by bytes has to say so.
        command = [_program("initdb"), "-D", str(self._data), "-U", _USER, "--pwfile", str(password),
                   "--auth", "scram-sha-256", "-E", "UTF8", "--locale", "C.UTF-8", "--locale-provider", "icu",
                   "--icu-locale", "en-US", "--no-sync"]
        done = subprocess.run(self._unprivileged([], command), capture_output=True, text=True, cwd="/", check=False)
        if done.returncode != 0:
            raise DaemonFailed(f"initdb: {done.stderr.strip()}")

    @staticmethod
    def _unprivileged(options, command):
        """PostgreSQL refuses to run as root."""
        if os.geteuid() == 0:
            pwd.getpwnam("postgres")
            options = ["--reuid", "postgres", "--regid", "postgres", "--init-groups", *options]
        return ["setpriv", *options, *command] if options else command

    def _answers(self):
        if self._process.poll() is not None:
            raise DaemonFailed(f"PostgreSQL ended at once: {self._log()}")
        return subprocess.run([_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)],
                              check=False).returncode == 0

    def _pids(self):
        return [self._process.pid, *children_of(self._process.pid)]

    def _signal(self, number):
        """The postmaster first, so that it starts nobody meanwhile."""
        for pid in self._pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _log(self):
        with contextlib.suppress(FileNotFoundError):
            return (self._root / "log").read_text(encoding="utf-8", errors="replace")[-2000:]
        return "it has written no log"
