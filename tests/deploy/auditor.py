"""A running `crows-nest watch` beside a test's daemon, and what it has written."""

import json
import signal
import subprocess
import urllib.request

from support.process import TIME_SCALE, DaemonFailed, free_port, program, wait_until


class Auditor:
    """Watches the daemon's state directory; ended with the `with` block.

    `before`: the words of a program that starts it confined; `args` add to its command line.
    """
    def __init__(self, daemon, before=(), args=()):
        self.state_dir = daemon.state_dir
        self.port = free_port()
        self._command = [*before, program("crows-nest"), "watch", "--state-dir", str(self.state_dir),
                         "--interval", "100ms", "--metrics", f"127.0.0.1:{self.port}", *args]
        self._log = self.state_dir.parent / "auditor-stderr"
        self.process = None

    def __enter__(self):
        with open(self._log, "wb") as log:
            self.process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stderr=log)
        try:
            wait_until(lambda: self.is_up(), 30, "the auditor answers")
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.stop()
        finally:
            self.kill()

    def is_up(self):
        if self.process.poll() is not None:
            raise DaemonFailed(f"crows-nest ended with {self.process.returncode}\n{self.log()}")
        try:
            return self.page()
        except OSError:
            return False

    def stop(self):
        """As an operator ends it; the summaries it has taken are on the disk then."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(30 * TIME_SCALE)
        if status != 0:
            raise DaemonFailed(f"crows-nest ended with {status}\n{self.log()}")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def log(self):
        return self._log.read_text(encoding="utf-8")

    def page(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10 * TIME_SCALE) as answer:
            return answer.read().decode("utf-8")

    def await_page(self, holds):
        """The first page that is as wanted."""
        def look():
            page = self.page()
            return page if holds(page) else None

        return wait_until(look, 15, lambda: f"a page of metrics\n{self.page()}\n{self.log()}")

    def lines(self, ledger):
        """What a ledger holds by now: "execution" or "incidents"."""
        return [json.loads(line) for file in sorted((self.state_dir / "ledger").glob(f"{ledger}-*.jsonl"))
                for line in file.read_text(encoding="utf-8").splitlines()]
