"""The scripts of deploy/, run as a container runs them."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest

from deploy.files import DEPLOY


def run(*command, env=None):
    path = {"PATH": os.environ["PATH"]}
    return subprocess.run(command, env={**path, **(env or {})}, capture_output=True, text=True, timeout=60)


class AnswersOnce:
    """One HTTP answer on a port of the loopback."""
    def __init__(self, status):
        self._answer = f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)

    def _serve(self):
        peer, _ = self._socket.accept()
        with peer:
            asked = b""
            while not asked.endswith(b"\r\n\r\n"):
                asked += peer.recv(4096)
            peer.sendall(self._answer)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._thread.join(60)
        self._socket.close()


class EntryPoint(unittest.TestCase):
    script = str(DEPLOY / "entrypoint.sh")

    def test_reads_secrets_from_files(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("one\ntwo\n")
            file.flush()
            ended = run(self.script, "env", env={"OUTRIGGER_TOKENS_FILE": file.name, "OUTRIGGER_NODE": "n"})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("OUTRIGGER_TOKENS=one\ntwo\n", ended.stdout)
        self.assertIn("OUTRIGGER_NODE=n\n", ended.stdout)
        self.assertNotIn("_FILE", ended.stdout)

    def test_starts_nothing_without_a_secret_it_was_promised(self):
        ended = run(self.script, "echo", "started", env={"OUTRIGGER_TOKENS_FILE": "/nowhere"})
        self.assertNotEqual(ended.returncode, 0)
        self.assertEqual(ended.stdout, "")

    def test_becomes_the_program(self):
        self.assertEqual(run(self.script, "sh", "-c", "exit 7").returncode, 7)


class Healthy(unittest.TestCase):
    def status(self, port):
        return run(str(DEPLOY / "healthy.sh"), str(port)).returncode

    def test_is_what_the_daemon_says(self):
        for answer, expected in ((200, 0), (503, 1)):
            with AnswersOnce(answer) as server:
                self.assertEqual(self.status(server.port), expected)

    def test_nobody_there_is_unhealthy(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        self.assertNotEqual(self.status(port), 0)


class MakeSecrets(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="outrigger-test-"))
        self.addCleanup(shutil.rmtree, self.home)

    def make(self):
        ended = run(str(DEPLOY / "make-secrets.sh"), str(self.home / "secrets"))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return {path.name: path.read_text() for path in (self.home / "secrets").iterdir()}

    def test_keeps_what_is_there(self):
        first = self.make()
        self.assertEqual(self.make(), first)

    def test_secrets_are_long_and_each_its_own(self):
        made = self.make()
        values = [made[name] for name in ("postgres_password", "redis_password", "tokens", "webhook_secret")]
        self.assertEqual(len(set(values)), 4)
        for value in values:
            self.assertRegex(value, r"^[0-9a-f]{48}$")
        self.assertIn(made["postgres_password"], made["postgres_url"])
        self.assertIn(made["redis_password"], made["redis_url"])

    def test_others_cannot_look(self):
        self.make()
        self.assertEqual((self.home / "secrets").stat().st_mode & 0o777, 0o700)


if __name__ == "__main__":
    unittest.main()
