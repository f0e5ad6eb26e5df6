"""Starts the auditor on a daemon's state, asks its verbs, kills it, and ends it."""

import pathlib
import re
import signal
import subprocess
import tempfile

from .http import strict_json
from .process import TIME_SCALE, DaemonFailed, is_alive, program, wait_until

INTERVAL = "100ms"


class Auditor:
    """`crows-nest watch` on one state directory; the verbs work without it, too."""
    def __init__(self, state_dir, args=(), interval=INTERVAL):
        self.state_dir = pathlib.Path(state_dir)
        self.process = None
        self._interval = interval
        self._args = list(args)
        self._log = tempfile.NamedTemporaryFile(prefix="crows-nest-", suffix=".log")  # noqa: SIM115: ends with us

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None and self.process and self.process.poll() is None:
                self.stop()
        finally:
            self.kill()
            self._log.close()

    @property
    def pid(self):
        return self.process.pid

    def start(self):
        """Starts it and waits until it watches."""
        before = self._times_watching()
        self.spawn()
        wait_until(lambda: self.process.poll() is not None or self._times_watching() > before, 20,
                   "the auditor watches")
        if self.process.poll() is not None:
            raise DaemonFailed(f"the auditor ended with {self.process.returncode}:\n{self.log_text()}")

    def _times_watching(self):
        return len(re.findall(r'\binfo watching\b|"watching"', self.log_text()))

    def spawn(self):
        command = [program("crows-nest"), "watch", "--state-dir", str(self.state_dir), "--interval", self._interval]
        with open(self._log.name, "ab") as log:
            self.process = subprocess.Popen(command + self._args, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30 * TIME_SCALE)
        if self.process.returncode != 0:
            raise DaemonFailed(f"the auditor ended with {self.process.returncode}:\n{self.log_text()}")

    def kill(self):
        """kill -9."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def is_running(self):
        return self.process is not None and self.process.poll() is None and is_alive(self.pid)

    def log_text(self):
        return pathlib.Path(self._log.name).read_text(encoding="utf-8", errors="replace")

    # -- the verbs ---------------------------------------------------------------------------------------------------

    def verb(self, *words, status=(0, ), env=None):
        """One run of a verb; its status must be one of these."""
        done = subprocess.run([program("crows-nest"), *words, "--state-dir", str(self.state_dir)],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60 * TIME_SCALE, env=env)
        if done.returncode not in status:
            raise AssertionError(f"crows-nest {' '.join(words)} ended with {done.returncode}:\n"
                                 f"{done.stdout.decode()}\n{done.stderr.decode()}")
        return done

    def table(self, *words, status=(0, 1)):
        """The running jobs, as JSON."""
        done = self.verb("outrigger", "--audit", "--active-jobs", "--json", *words, status=status)
        return strict_json(done.stdout)

    def lines(self, *words):
        """The execution ledger's."""
        return [strict_json(line) for line in self.verb("ledger", "show", "--json", *words).stdout.splitlines()]

    def incidents(self, *words):
        return [strict_json(line) for line in self.verb("incidents", "--json", *words).stdout.splitlines()]

    def has_ledger(self):
        return (self.state_dir / "ledger").is_dir()

    def line_of(self, job_id):
        """A job's one line, waited for."""
        (line, ) = wait_until(lambda: self.lines("--job", job_id), 20, f"a line of {job_id}\n{self.log_text()[-2000:]}")
        return line

    def incident(self, rule, job_id=None, timeout=30):
        """The first incident of a rule, waited for."""
        words = ["--rule", rule] + (["--job", job_id] if job_id else [])
        return wait_until(lambda: self.incidents(*words), timeout,
                          lambda: f"an incident {rule} {job_id or ''}\n{self.log_text()[-3000:]}")[0]

    def verify(self, *words, status=0):
        done = self.verb("ledger", "verify", "--json", *words, status=(status, ))
        return strict_json(done.stdout)

    def head(self, ledger="execution"):
        return strict_json(self.verb("ledger", "head", "--json").stdout)[ledger]
