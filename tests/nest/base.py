"""The ground the auditor's tests stand on: a daemon and an auditor a module."""

import threading

from api.base import ApiTest, job
from support.auditor import Auditor
from support.daemon import Daemon
from support.process import TIME_SCALE, wait_until

# Time is stretched where the machine is emulated; limits that end a job follow it.
CONFIG = f"""
[ceilings]
wall_time_ms = {int(60000 * TIME_SCALE)}
cpu_time_ms = {int(60000 * TIME_SCALE)}
cpu_cores = 2.0
[limits]
wall_time_ms = {int(20000 * TIME_SCALE)}
cpu_cores = 0.5
"""


def millis(number):
    """A limit's milliseconds on this machine."""
    return int(number * TIME_SCALE)


class NestTest(ApiTest):
    auditor: Auditor = None

    def begin(self, language, code, daemon=None, **fields):
        """Runs a job in the background; gives it when its card is there. It is waited for at the test's end."""
        return Running(self, daemon or self.daemon, job(language, code, **fields))

    def row_of(self, running, *words):
        """The job's row in the table."""
        rows = [row for row in self.auditor.table(*words)["jobs"] if row["job_id"] == running.job_id]
        self.assertEqual(len(rows), 1)
        return rows[0]


class OwnDaemonTest(NestTest):
    """A daemon for each test, and an auditor when it asks for one."""
    def setUp(self):
        super().setUp()
        self.daemon = self.enter(Daemon(config=CONFIG))

    def enter(self, manager):
        self.addCleanup(manager.__exit__, None, None, None)
        return manager.__enter__()

    def audit(self, *args):
        self.auditor = self.enter(Auditor(self.daemon.state_dir, args))
        return self.auditor


class Running:
    """A job that runs beside the test."""
    def __init__(self, test, daemon, body):
        self._daemon = daemon
        self.answer = None
        before = set(self._cards())
        self._thread = threading.Thread(target=self._run, args=(body, ))
        self._thread.start()
        test.addCleanup(self._thread.join)
        (self.job_id, ) = wait_until(lambda: set(self._cards()) - before, 20, "a card appears")

    def _cards(self):
        return [path.stem for path in (self._daemon.state_dir / "jobs").glob("[!.]*.json")]

    def _run(self, body):
        self.answer = self._daemon.execute(body, timeout=120).json

    @property
    def card(self):
        return self._daemon.state_dir / "jobs" / f"{self.job_id}.json"

    def cancel(self):
        self._daemon.request("DELETE", f"/api/v1/runs/{self.job_id}")
        return self.finish()

    def finish(self):
        self._thread.join()
        return self.answer


def module_nest(args=(), config=CONFIG, **options):
    """setUpModule and tearDownModule for a module whose tests share a daemon and its auditor."""
    def set_up():
        ApiTest.daemon = Daemon(config=config, **options).__enter__()
        # Where the auditor looks for it; the daemon is given it by name.
        (ApiTest.daemon.state_dir / "config.toml").write_text(config)
        NestTest.auditor = Auditor(ApiTest.daemon.state_dir, args).__enter__()

    def tear_down():
        auditor, NestTest.auditor = NestTest.auditor, None
        daemon, ApiTest.daemon = ApiTest.daemon, None
        auditor.__exit__(None, None, None)
        daemon.__exit__(None, None, None)

    return set_up, tear_down
