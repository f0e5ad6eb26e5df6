"""A daemon of our own, with its state in a directory of its own, and what can be seen of it from outside."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

# The runtime without a language: what is left is Outrigger.
TRUE_RUNTIME = """name = "true"
description = "A program that does nothing"
image = "standard"
packages = ["coreutils"]
source_file = "main"
command = ["/bin/true"]
"""

# A job may use a whole machine here, where a row of the table says so; the defaults stay the defaults.
CONFIG = """[ceilings]
cpu_cores = 64
"""

START_SECONDS = 20
STOP_SECONDS = 20


class DaemonFailed(Exception):
    pass


class Daemon:
    """`steady`: as many primed jails at every moment, so that what the daemon holds can be compared between two.

    `more` is added to its configuration.
    """

    def __init__(self, root, steady=False, more=""):
        self.steady = steady
        self.more = more
        # In memory, as /run is: what a job's two record files cost on a disk is the disk's.
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="outrigger-bench-", dir="/dev/shm"))
        try:
            self._start(root)
        except BaseException:
            shutil.rmtree(self.dir)
            raise

    def _start(self, root):
        runtimes = self.dir / "runtimes"
        shutil.copytree(root / "runtimes", runtimes)
        (runtimes / "true.toml").write_text(TRUE_RUNTIME)
        if self.steady:
            for file in runtimes.glob("*.toml"):
                lines = [line for line in file.read_text().splitlines() if not line.startswith("primed_")]
                file.write_text("\n".join(["primed_min = 4", "primed_max = 4", *lines]) + "\n")
        state = self.dir / "state"
        state.mkdir()
        (state / "config.toml").write_text(CONFIG + self.more)
        self.terminations = state / "terminations"
        self.log = self.dir / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [root / "build/bin/outriggerd", "--listen", "127.0.0.1:0", "--state-dir", state,
                 "--runtimes-dir", runtimes],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        self.port = self._await_port()
        self.jailer_pid = self._find_jailer()
        while not self.is_ready():
            time.sleep(0.05)

    def _await_port(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(r"listening.*address=\"?127\.0\.0\.1:(\d+)", self.log.read_text())
            if found:
                return int(found.group(1))
            time.sleep(0.01)
        self.stop()
        raise DaemonFailed("the daemon did not start:\n" + self.log.read_text())

    def _find_jailer(self):
        """The daemon has one child, the jailer's keeper, and that has one, the jailer."""
        pid = self.process.pid
        for _ in range(2):
            children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            if len(children) != 1:
                raise DaemonFailed(f"process {pid} should have one child, on the way to the jailer, and has {len(children)}")
            pid = int(children[0])
        return pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.dir)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def text(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path)
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def is_ready(self):
        """As many jails stand primed as are wanted."""
        _, health = self.request("GET", "/health")
        return all(shelf["ready"] >= shelf["target"] for shelf in health["pool"]["primed"])

    def job_ids(self):
        """The jobs that have ended; each left a termination summary."""
        return {name[: -len(".json")] for name in os.listdir(self.terminations)}

    def body_file(self, name, job):
        """The request for a job, as a file that http_load can send."""
        path = self.dir / f"{name}.json"
        path.write_text(json.dumps({"tenant_id": "bench", **job}))
        return path
