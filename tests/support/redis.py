"""A Redis server of the tests' own: nothing of it outlives the `with` block."""

import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import tempfile

from .process import DaemonFailed, free_port, wait_until
from .resp import RedisConnection, RedisError


class RedisServer:
    """redis-server on 127.0.0.1, with a password. It remembers nothing after its end, or, with `persistent`, everything
    that it has acknowledged.

    `options` are lines of redis.conf: RedisServer(options=["maxmemory 4mb"]).
    """
    def __init__(self, persistent=False, options=()):
        self.host = "127.0.0.1"
        self.port = free_port(self.host)
        self.password = secrets.token_hex(8)
        self.process = None
        self._persistent = persistent
        self._options = list(options)
        self._home = pathlib.Path(tempfile.mkdtemp(prefix="outrigger-redis-"))

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    @property
    def url(self):
        return f"redis://:{self.password}@{self.host}:{self.port}/0"

    @property
    def pid(self):
        return self.process.pid

    @property
    def runs(self):
        return self.process is not None and self.process.poll() is None

    def command(self, *args):
        """The answer to a command; its error as resp.RedisError."""
        with self.connection() as connection:
            return connection.command(*args)

    def connection(self):
        """For what takes more than one command, such as a subscription."""
        return RedisConnection(self.host, self.port, self.password)

    def start(self):
        """Starts it where it does not run, on the same port each time, and waits until it answers."""
        if self.runs:
            return
        log = self._home / "log"
        self.process = subprocess.Popen(["redis-server", str(self._write_configuration(log))],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_until(lambda: self._answers() or not self.runs, 20, "redis-server answers")
        if not self.runs:
            raise DaemonFailed(f"redis-server did not start\n{log.read_text(encoding='utf-8', errors='replace')}")

    def stop(self):
        """Ends it as an administrator does."""
        self._end(signal.SIGTERM)

    def kill(self):
        self._end(signal.SIGKILL)

    def freeze(self):
        if self.runs:
            os.kill(self.pid, signal.SIGSTOP)

    def thaw(self):
        if self.runs:
            os.kill(self.pid, signal.SIGCONT)

    def restart(self):
        self.stop()
        self.start()

    def remove(self):
        self.kill()
        shutil.rmtree(self._home, ignore_errors=True)

    def _write_configuration(self, log):
        lines = [f"bind {self.host}", f"port {self.port}", f"requirepass {self.password}", f"dir {self._home}",
                 f"logfile {log}", "daemonize no", 'save ""', "maxmemory-policy noeviction"]
        if self._persistent:
            lines += ["appendonly yes", "appendfsync always"]
        file = self._home / "redis.conf"
        file.write_text("\n".join(lines + self._options) + "\n", encoding="utf-8")
        file.chmod(0o600)
        return file

    def _answers(self):
        try:
            return self.command("PING")
        except (OSError, RedisError):
            return False  # not yet listening, or still loading what it has kept

    def _end(self, number):
        if not self.runs:
            return
        os.kill(self.pid, number)
        self.thaw()  # a frozen one would not hear SIGTERM
        self.process.wait(30)
