"""`outrigger run` on a terminal: what a program writes is seen while it runs, and Ctrl-C ends it."""

import contextlib
import os
import pty
import select
import signal
import time

from api.base import ApiTest, module_daemon, unique_seconds
from api.cli import Cli
from api.test_cli_run import Behaviour, RunTest
from support.process import TIME_SCALE, processes_with, program, wait_until

_LONG = ("--wall-time-ms", "600000")
_CONFIG = "[ceilings]\nwall_time_ms = 600000\n"

setUpModule, tearDownModule = module_daemon(config=_CONFIG)


class Terminal:
    """`outrigger` as somebody starts it who sits before a terminal."""
    def __init__(self, cli, *args):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(cli.directory)
                os.execve(program("outrigger"), ["outrigger", *args], cli.env)
            finally:
                os._exit(126)
        self.seen = b""

    def read_until(self, text, timeout=20):
        deadline = time.monotonic() + timeout * TIME_SCALE
        while text not in self.seen:
            ready = select.select([self.fd], [], [], max(0.0, deadline - time.monotonic()))[0]
            if not ready:
                raise AssertionError(f"waited in vain for {text!r}, and saw {self.seen!r}")
            self._read()

    def type(self, keys):
        os.write(self.fd, keys)

    def end(self):
        """What it was ended by, as a shell has it; all that it wrote is in `seen`."""
        with contextlib.suppress(OSError):  # EIO: nobody has the terminal open any more
            while self._read():
                pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _read(self):
        data = os.read(self.fd, 65536)
        self.seen += data
        return data


class OnATerminal:
    """Each test runs with a daemon and without one."""
    where = ()

    def setUp(self):
        super().setUp()
        self.cli = Cli(self.daemon)
        self.addCleanup(self.cli.close)
        config = self.cli.file("config.toml", _CONFIG)
        self.where = (*self.where, "--config", config)

    def on_terminal(self, code, *options):
        return Terminal(self.cli, "run", *self.where, *options, self.cli.file("a.sh", code))

    def test_output_is_seen_before_the_end_and_ctrl_c_ends_the_job(self):
        marker = unique_seconds(600)
        terminal = self.on_terminal(f"echo here; echo there >&2; sleep {marker}", *_LONG)
        terminal.read_until(b"here\r\n")
        terminal.read_until(b"there\r\n")
        wait_until(lambda: processes_with(f"sleep\0{marker}"), 10, "the program goes on")
        terminal.type(b"\x03")
        self.assertIn(terminal.end(), (-signal.SIGINT, 137))
        wait_until(lambda: not processes_with(f"sleep\0{marker}"), 10, "the job's processes are ended")
        self.assert_idle()

    def test_its_end_is_told_after_its_output(self):
        terminal = self.on_terminal("printf 'a\\303'; sleep 0.2; printf '\\251'; kill -TERM $$")
        self.assertEqual(terminal.end(), 143)
        self.assertRegex(terminal.seen, rb"\Aa\xc3\xa9outrigger: signaled: .*SIGTERM.*\r\n\Z")

    def test_output_that_is_cut_is_counted(self):
        terminal = self.on_terminal("echo one; head -c 5000 /dev/zero", "--output-bytes", "100")
        self.assertEqual(terminal.end(), 0)
        self.assertIn(b"outrigger: stdout was cut after 100 of 5004 bytes\r\n", terminal.seen)
        self.assertEqual(terminal.seen.count(b"\0"), 96)

    def test_who_wants_it_in_one_piece_gets_it_so(self):
        for option in ("--no-stream", "--json"):
            terminal = self.on_terminal("echo early; sleep 0.5", option)
            before = time.monotonic()
            terminal.read_until(b"early")
            self.assertGreater(time.monotonic() - before, 0.4, option)
            self.assertEqual(terminal.end(), 0)


class WithADaemon(OnATerminal, ApiTest):
    def test_the_job_is_cancelled_in_the_audit_trail(self):
        terminal = self.on_terminal("echo here; sleep 600", *_LONG, "--tenant", "ctrl-c")
        terminal.read_until(b"here\r\n")
        terminal.type(b"\x03")
        terminal.end()
        runs = lambda: self.daemon.request("GET", "/api/v1/runs?tenant_id=ctrl-c").json["runs"]
        self.assertEqual([run["status"] for run in wait_until(runs, 10, "its row is there")], ["cancelled"])

    def test_what_is_refused_is_told_as_ever(self):
        terminal = self.on_terminal("true", "--pids", "4000")
        self.assertEqual(terminal.end(), 125)
        self.assertEqual(terminal.seen, b"outrigger: limits.pids must be an integer from 1 to 32\r\n")


class WithoutADaemon(OnATerminal, ApiTest):
    where = ("--local", )


class Streamed(Behaviour, RunTest):
    """All that holds of a run holds when its output is streamed, to whatever."""
    where = ("--stream", )

    def test_is_not_both(self):
        ended = self.cli("run", "--stream", "--no-stream", self.cli.file("a.sh", "true"))
        self.assertEqual(ended.returncode, 2, ended)


class StreamedLocally(Behaviour, RunTest):
    where = ("--stream", "--local")
