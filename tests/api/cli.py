"""Running the command-line tool as a shell would."""

import os
import pathlib
import subprocess
import tempfile

from support.process import program

# Runs what follows without a single capability, yet as uid 0: the files of a private clone stay within reach.
UNPRIVILEGED = ("setpriv", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--")


class Cli:
    """`outrigger` with an environment of its own and a directory to put programs in."""
    def __init__(self, daemon=None):
        self._directory = tempfile.TemporaryDirectory(prefix="outrigger-test-")
        self.directory = pathlib.Path(self._directory.name)
        self.env = {
            name: value
            for name, value in os.environ.items() if name not in ("OUTRIGGER_SERVER", "OUTRIGGER_TOKEN")
        }
        if daemon is not None:
            self.env["OUTRIGGER_SERVER"] = f"http://{daemon.host}:{daemon.port}"

    def close(self):
        self._directory.cleanup()

    def file(self, name, content):
        path = self.directory / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def __call__(self, *args, stdin=b"", prefix=()):
        return subprocess.run([*prefix, program("outrigger"), *args], input=stdin, capture_output=True, timeout=60,
                              check=False, env=self.env, cwd=self.directory)

    def start(self, *args):
        """The same without waiting for its end; nobody listens to it."""
        return subprocess.Popen([program("outrigger"), *args], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env=self.env, cwd=self.directory)
