"""Starts the daemon under test, talks to it, and ends it: nothing of it outlives the `with` block."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from .http import Connection, exchange
from .process import TIME_SCALE, DaemonFailed, child_named, children_of, free_port, is_alive, program, wait_until

_SANITIZER_MARKS = ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "WARNING: ThreadSanitizer",
                    "WARNING: MemorySanitizer", ": runtime error: ")


class Daemon:
    """One running outriggerd. `config` is TOML; `env` adds to the environment; `args` to the command line.

    `healthy` are the states of /health that count as started. `stderr` is a descriptor for its log to go to, instead of
    the file that stderr_text() reads.
    """
    def __init__(self, config="", env=None, args=None, state_dir=None, healthy=("ok", ), stderr=None):
        self.host = "127.0.0.1"
        self.port = None
        self.process = None
        self._config = config
        self._env = {**os.environ, **(env or {})}
        self._args = list(args or [])
        self._healthy = healthy
        self._stderr = stderr
        self._home = pathlib.Path(tempfile.mkdtemp(prefix="outrigger-test-"))
        self.state_dir = pathlib.Path(state_dir) if state_dir else self._home / "state"
        self.state_dir.mkdir(exist_ok=True)
        self._keeper_pid = None
        self._jailer_pid = None
        self._ended = False  # a test saw the end it asked for

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.kill()
            self._remove_home()
            raise
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None and not self._ended:
                self.stop()
        finally:
            self.kill()
            self._remove_home()

    @property
    def pid(self):
        return self.process.pid

    @property
    def keeper_pid(self):
        if self._keeper_pid is None:
            raise DaemonFailed(f"the daemon had no keeper among its children\n{self.stderr_text()}")
        return self._keeper_pid

    @property
    def jailer_pid(self):
        """The jailer that served when it was looked for last: at the start, and by await_jailer_after()."""
        if self._jailer_pid is None:
            raise DaemonFailed(f"the daemon's keeper had no jailer among its children\n{self.stderr_text()}")
        return self._jailer_pid

    def _find_jailer(self):
        self._keeper_pid = child_named(self.pid, "outrigger-keeper")
        self._jailer_pid = child_named(self._keeper_pid, "outrigger-jailer") if self._keeper_pid else None

    def kill_jailer(self):
        """kill -9; returns the pid it had."""
        dead = self.jailer_pid
        os.kill(dead, signal.SIGKILL)
        return dead

    def await_jailer_after(self, dead, timeout=60):
        """Waits until another jailer than `dead` serves, and knows it from then on."""
        def serves():
            if self.health()["status"] not in self._healthy:
                return False
            self._find_jailer()
            return self._jailer_pid not in (None, dead)

        wait_until(serves, timeout, "another jailer serves")
        return self.jailer_pid

    def _command(self, listen_host):
        command = [program("outriggerd"), "--listen", f"{listen_host}:{self.port}", "--state-dir", str(self.state_dir)]
        if self._config:
            config_file = self._home / "config.toml"
            config_file.write_text(self._config, encoding="utf-8")
            command += ["--config", str(config_file)]
        return command + self._args

    def start(self):
        """Starts the program and waits for its health to be ok. Another port is tried if somebody took ours."""
        for attempt in range(3):
            self.spawn()
            try:
                wait_until(self._is_up, 30, f"GET /health says {' or '.join(self._healthy)}")
                self._find_jailer()
                return
            except DaemonFailed as error:
                said = self.stderr_text()
                if attempt == 2 or "in use" not in said or self.process.poll() is None:
                    raise DaemonFailed(f"{error}\n{said}") from error

    def spawn(self, listen_host=None):
        """Starts the program without waiting for anything."""
        self.port = free_port(self.host)
        self._keeper_pid = self._jailer_pid = None
        self._ended = False
        with open(self._home / "stderr", "wb") as stderr, open(self._home / "stdout", "wb") as stdout:
            self.process = subprocess.Popen(self._command(listen_host or self.host), env=self._env,
                                            stdin=subprocess.DEVNULL, stdout=stdout, stderr=self._stderr or stderr)

    def _is_up(self):
        if self.process.poll() is not None:
            raise DaemonFailed(f"outriggerd exited with status {self.process.returncode}")
        try:
            response = self.request("GET", "/health", timeout=5)
        except OSError:
            return False
        return response.json is not None and response.json.get("status") in self._healthy

    def request(self, method, path, body=None, headers=None, timeout=60):
        return exchange(self.host, self.port, method, path, body, headers, timeout * TIME_SCALE)

    def execute(self, body, headers=None, timeout=60):
        return self.request("POST", "/api/v1/execute", body, headers, timeout)

    def connect(self, timeout=60):
        return Connection(self.host, self.port, timeout * TIME_SCALE)

    def health(self):
        return self.request("GET", "/health").json

    def stderr_text(self):
        file = self._home / "stderr"
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    def stop(self):
        """Ends it as an operator does, and insists on a clean end of the daemon and of its jailer."""
        self.process.send_signal(signal.SIGTERM)
        self.wait_for_exit(0)

    def wait_for_exit(self, status, timeout=30):
        """Waits for an end that comes by itself or after a signal already sent; `status` None takes any failure."""
        try:
            self.process.wait(timeout * TIME_SCALE)
        except subprocess.TimeoutExpired:
            raise DaemonFailed(f"outriggerd did not end:\n{self.stderr_text()}") from None
        self._ended = True
        text = self.stderr_text()
        wrong = self.process.returncode <= 0 if status is None else self.process.returncode != status
        if wrong:
            raise DaemonFailed(f"outriggerd ended with {self.process.returncode}, expected {status}:\n{text}")
        if any(mark in text for mark in _SANITIZER_MARKS):
            raise DaemonFailed(f"a sanitizer reported:\n{text}")
        if (self._home / "stdout").stat().st_size:
            raise DaemonFailed("outriggerd wrote to its stdout, which is nobody's")
        for pid in (self._keeper_pid, self._jailer_pid):
            if pid is not None:
                wait_until(lambda: not is_alive(pid), 5, "keeper and jailer end with the daemon")

    def kill(self):
        """The end for a test that failed. Keeper and jailer end on their own when the daemon's sockets close."""
        self._ended = True
        if self.process is None or self.process.poll() is not None:
            return
        keepers = children_of(self.pid)
        jailers = set().union(*map(children_of, keepers))
        self.process.kill()
        self.process.wait()
        wait_until(lambda: not any(map(is_alive, keepers | jailers)), 10, "they end when the daemon was killed")

    def _remove_home(self):
        shutil.rmtree(self._home, ignore_errors=True)
