"""The daemon with exactly the capabilities that deploy/ gives it, and with one of them missing."""

import shutil
import signal
import unittest

from deploy.confinement import capabilities_of, with_only
from support.daemon import Daemon

PYTHON = {"tenant_id": "deploy", "language": "python", "code": "print(1)"}
BASH = {"tenant_id": "deploy", "language": "bash", "code": "echo 1"}


def given():
    return capabilities_of("outriggerd")


class Confined(Daemon):
    """Started as root that may have no other capabilities, and may gain none."""
    def __init__(self, capabilities, **rest):
        super().__init__(**rest)
        self._capabilities = capabilities

    def _command(self, listen_host):
        return [*with_only(self._capabilities), *super()._command(listen_host)]


class Capabilities(unittest.TestCase):
    def test_are_enough_for_everything_a_daemon_does(self):
        with Confined(given()) as daemon:
            self.runs_jobs(daemon)
            daemon.await_jailer_after(daemon.kill_jailer())
            self.runs_jobs(daemon)
            # Again, in directories that are the daemon's own by now.
            daemon.stop()
            daemon.start()
            self.runs_jobs(daemon)

    def runs_jobs(self, daemon):
        for body in (PYTHON, BASH):
            answer = daemon.execute(body).json
            self.assertEqual((answer["status"], answer["stdout"]), ("completed", "1\n"), answer)
        killed = daemon.execute({**PYTHON, "code": "import socket; socket.socket()"}).json
        self.assertEqual(killed["status"], "security_violation", killed)

    def test_are_all_needed(self):
        for missing in given():
            with self.subTest(missing=missing):
                self.assertTrue(self.fails_without(missing))

    def fails_without(self, missing):
        daemon = Confined([name for name in given() if name != missing])
        try:
            for _ in range(2):  # what is missed may only be missed by the second start
                daemon.spawn()
                if not self.serves(daemon):
                    self.assertRegex(daemon.stderr_text(), r"\((EPERM|EACCES)\)")
                    return True
                daemon.stop()
            return False
        finally:
            daemon.kill()
            shutil.rmtree(daemon.state_dir.parent)

    @staticmethod
    def serves(daemon):
        """Until it answers or has ended."""
        while daemon.process.poll() is None:
            try:
                daemon.request("GET", "/health", timeout=5)
            except OSError:
                continue
            return True
        return False


if __name__ == "__main__":
    unittest.main()
