"""The scripts of deploy/, run as a container runs them."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from deploy.confinement import with_only
from deploy.files import DEPLOY, container
from support.daemon import Daemon
from support.process import child_named, children_of, is_alive, program, wait_until


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


class Contained(Daemon):
    """Started by audited.sh as the first process of a pid namespace, with the rights that a container gives it."""
    def __init__(self, **rest):
        super().__init__(**rest)
        self._programs = self._home / "programs"
        self._programs.mkdir()
        # As in a container, where both read one configuration.
        auditor = self._programs / "crows-nest"
        auditor.write_text(f'#!/bin/sh\nexec {program("crows-nest")} "$@" --state-dir {self.state_dir}\n')
        auditor.chmod(0o755)
        self._env["PATH"] = f"{self._programs}:{self._env['PATH']}"

    def _command(self, listen_host):
        given = [name.lower() for name in container()["securityContext"]["capabilities"]["add"]]
        return ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", *with_only(given),
                str(DEPLOY / "audited.sh"), *super()._command(listen_host)]

    @property
    def pid(self):
        """As it is seen from outside: the one child of unshare."""
        return next(iter(children_of(self.process.pid)), self.process.pid)

    def auditor_pid(self):
        loop = child_named(self.pid, "audited.sh")
        return loop and child_named(loop, "crows-nest")

    def stop(self):
        os.kill(self.pid, signal.SIGTERM)
        self.wait_for_exit(0)


class Audited(unittest.TestCase):
    def lines_of(self, daemon):
        files = sorted((daemon.state_dir / "ledger").glob("execution-*.jsonl"))
        return [json.loads(line)["job_id"] for file in files for line in file.read_text().splitlines()]

    def runs_audited(self, daemon):
        job_id = daemon.execute({"tenant_id": "deploy", "language": "bash", "code": "echo 1"}).json["job_id"]
        wait_until(lambda: job_id in self.lines_of(daemon), 15, lambda: f"a line in the ledger\n{daemon.stderr_text()}")

    def test_the_auditor_is_there_and_comes_back_and_ends_with_the_daemon(self):
        with Contained() as daemon:
            self.runs_audited(daemon)
            first = wait_until(daemon.auditor_pid, 15, "the auditor is there")
            os.kill(first, signal.SIGKILL)
            second = wait_until(lambda: daemon.auditor_pid() not in (None, first) and daemon.auditor_pid(), 15,
                                "another auditor is there")
            self.runs_audited(daemon)
            daemon.stop()
            self.assertFalse(is_alive(second))
            self.assertEqual(daemon.stderr_text().count("it is started again"), 1)

    def test_has_no_more_rights_than_it_needs(self):
        with Contained() as daemon:
            status = pathlib.Path(f"/proc/{wait_until(daemon.auditor_pid, 15, 'the auditor is there')}/status").read_text()
        dac_override, sys_ptrace = 1 << 1, 1 << 19
        self.assertIn(f"CapBnd:\t{dac_override | sys_ptrace:016x}\n", status)


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
