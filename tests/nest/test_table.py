"""`crows-nest outrigger --audit --active-jobs`: what the kernel says of each running job."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import tempfile
import termios
import time

from nest import groups
from nest.base import NestTest, millis, module_nest
from support.http import strict_json
from support.process import TIME_SCALE, program, wait_until

setUpModule, tearDownModule = module_nest()

_JOB = {
    "job_id", "tenant_id", "language", "age_ms", "memory_bytes", "memory_limit_bytes", "cpu_usage_usec",
    "throttling_percent", "pids", "pids_limit", "oom_kills", "findings"
}
_FLEET = {"sandbox_memory_bytes", "host_memory_bytes", "share", "ceiling", "dispatch_paused"}
SPIN = "while True: pass"
WAIT = {"wall_time_ms": millis(20000)}


def memory_total():
    with open("/proc/meminfo", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("MemTotal:")) * 1024


class Json(NestTest):
    def test_without_jobs_it_is_healthy(self):
        self.assert_idle()
        report = self.auditor.table(status=(0, ))
        self.assertEqual(report["jobs"], [])
        self.assertLessEqual(_FLEET, set(report["fleet"]))
        self.assertEqual(report["fleet"]["sandbox_memory_bytes"], 0)
        self.assertEqual(report["fleet"]["host_memory_bytes"], memory_total())
        self.assertEqual(report["fleet"]["ceiling"], 0.65)
        self.assertIs(report["fleet"]["dispatch_paused"], False)

    def test_a_row_has_the_contracts_fields(self):
        running = self.begin("python", "import time\nx = bytearray(20 << 20)\ntime.sleep(60)", tenant_id="acme",
                             limits={**WAIT, "pids": 9})
        wait_until(lambda: groups.read(self.daemon, running.job_id, "memory") > 20 << 20, 20, "it has its memory")
        report = self.auditor.table()
        (row, ) = report["jobs"]
        running.cancel()
        self.assertEqual(set(row), _JOB)
        self.assertEqual((row["job_id"], row["tenant_id"], row["language"]), (running.job_id, "acme", "python"))
        self.assertEqual((row["memory_limit_bytes"], row["pids_limit"], row["oom_kills"]), (128 << 20, 9, 0))
        self.assertGreater(row["age_ms"], 0)
        self.assertEqual(report["fleet"]["sandbox_memory_bytes"], row["memory_bytes"])
        self.assertAlmostEqual(report["fleet"]["share"], row["memory_bytes"] / memory_total(), places=6)

    def test_figures_lie_between_two_readings_of_the_kernels_counters(self):
        for language, code in (("python", SPIN), ("python", "import time\nx = bytearray(30 << 20)\ntime.sleep(60)")):
            running = self.begin(language, code, limits=WAIT)
            with self.subTest(code):
                before, row, after = self.bracketed(running)
                for name in ("cpu_usage_usec", "pids", "oom_kills"):
                    self.assertLessEqual(before[name], row[name], name)
                    self.assertLessEqual(row[name], after[name], name)
                # Memory goes both ways: what it was can only be said where it stood still.
                if "sleep" in code:
                    wait_until(lambda: groups.read(self.daemon, running.job_id, "memory") > 30 << 20, 20, "memory")

                    def stood_still():
                        before, row, after = self.bracketed(running)
                        return before["memory_bytes"] == after["memory_bytes"] and (before, row)

                    before, row = wait_until(stood_still, 30, "its memory stands still")
                    self.assertEqual(row["memory_bytes"], before["memory_bytes"])
            running.cancel()

    def bracketed(self, running):
        """The kernel's figures, the row, the kernel's figures."""
        names = {"cpu_usage_usec": "cpu_usec", "pids": "pids", "oom_kills": "oom_kills", "memory_bytes": "memory"}

        def read():
            return {name: groups.read(self.daemon, running.job_id, figure) for name, figure in names.items()}

        return read(), self.row_of(running, "--interval", "50ms"), read()

    def test_throttling_of_a_spinning_job_and_none_of_a_sleeping_one(self):
        spinning = self.begin("python", SPIN, limits={**WAIT, "cpu_cores": 0.2})
        sleeping = self.begin("bash", "sleep 60", limits=WAIT)
        wait_until(lambda: groups.read(self.daemon, spinning.job_id, "throttled_usec") > 0, 20, "it is throttled")
        rows = {row["job_id"]: row for row in self.auditor.table(status=(1, ))["jobs"]}
        for running in (spinning, sleeping):
            running.cancel()
        self.assertGreater(rows[spinning.job_id]["throttling_percent"], 30)
        self.assertIn("scheduling_contention", [each["rule"] for each in rows[spinning.job_id]["findings"]])
        self.assertIsNone(rows[sleeping.job_id]["throttling_percent"], "idle is not 0 % of something")
        self.assertEqual(rows[sleeping.job_id]["findings"], [])

    def test_findings_are_exit_status_1(self):
        running = self.begin("python", "x = bytearray(118 << 20)\nimport time\ntime.sleep(60)", limits=WAIT)
        wait_until(lambda: groups.read(self.daemon, running.job_id, "memory") > 118 << 20, 20, "it has its memory")
        (row, ) = self.auditor.table(status=(1, ))["jobs"]
        running.cancel()
        # On a machine that is slow it may be held back by its quota meanwhile, or be at it for long.
        (finding, ) = [each for each in row["findings"] if each["rule"] == "memory_approach"]
        self.assertEqual((finding["rule"], finding["severity"]), ("memory_approach", "warning"))
        self.assertIn("of 128.0 MiB", finding["text"])

    def test_a_stream_of_documents(self):
        process = subprocess.Popen([program("crows-nest"), "outrigger", "--audit", "--active-jobs", "--watch", "--json",
                                    "--interval", "50ms", "--state-dir", str(self.daemon.state_dir)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        documents = [strict_json(process.stdout.readline()) for _ in range(3)]
        process.terminate()
        _, said = process.communicate(timeout=20 * TIME_SCALE)
        self.assertEqual((process.returncode, said), (0, b""))
        self.assertTrue(all(set(each) == {"jobs", "fleet"} for each in documents))


class CannotLook(NestTest):
    def test_a_place_without_a_daemon_is_exit_status_2_with_the_reason(self):
        with tempfile.TemporaryDirectory() as empty:
            for verb in (["outrigger", "--audit", "--active-jobs"], ["ledger", "verify"], ["ledger", "show"],
                         ["incidents"], ["ledger", "head"]):
                done = subprocess.run([program("crows-nest"), *verb, "--state-dir", empty], capture_output=True,
                                      check=False)
                self.assertEqual(done.returncode, 2, verb)
                self.assertEqual(done.stdout, b"")
                self.assertIn(empty, done.stderr.decode())

    def test_a_broken_configuration_is_named(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("[crows_nest]\nintervall_ms = 5\n")
            file.flush()
            done = self.auditor.verb("outrigger", "--audit", "--active-jobs", "--config", file.name, status=(2, ))
        self.assertIn("crows_nest.intervall_ms", done.stderr.decode())

    def test_a_second_auditor_is_refused(self):
        done = self.auditor.verb("watch", status=(2, ))
        self.assertIn(str(self.auditor.pid), done.stderr.decode())


class ForPeople(NestTest):
    def test_a_plain_table_where_nobody_sees_colours(self):
        running = self.begin("bash", "sleep 60", tenant_id="people", limits=WAIT)
        done = self.auditor.verb("outrigger", "--audit", "--active-jobs")
        running.cancel()
        text = done.stdout.decode()
        self.assertNotIn("\x1b", text)
        heading, row, fleet = text.splitlines()
        for word in ("JOB", "TENANT", "MEMORY", "CPU", "THROTTLED", "TASKS", "OOM", "VERDICT"):
            self.assertIn(word, heading)
        self.assertIn(running.job_id, row)
        self.assertIn("healthy", row)
        self.assertEqual(row.index("people"), heading.index("TENANT"))
        self.assertIn("dispatch open", fleet)

    def test_colours_on_a_terminal_unless_refused(self):
        running = self.begin("bash", "sleep 60", limits=WAIT)
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        words = ["outrigger", "--audit", "--active-jobs"]
        self.assertIn("\x1b[32mhealthy", Terminal(self, words, environment).to_the_end())
        self.assertNotIn("\x1b", Terminal(self, words, {**environment, "NO_COLOR": "1"}).to_the_end())
        running.cancel()

    def test_the_live_screen_sorts_by_keys_and_ends_with_q(self):
        large = self.begin("python", "x = bytearray(60 << 20)\nimport time\ntime.sleep(60)", limits=WAIT)
        wait_until(lambda: groups.read(self.daemon, large.job_id, "memory") > 60 << 20, 20, "it has its memory")
        busy = self.begin("python", SPIN, limits=WAIT)
        screen = Terminal(self, ["outrigger", "--audit", "--active-jobs", "--watch", "--interval", "200ms"], os.environ)
        screen.read_until(lambda: screen.order(large, busy) == [large, busy], "the largest first")
        screen.type("c")
        screen.read_until(lambda: screen.order(large, busy) == [busy, large], "the busiest first")
        screen.type("m")
        screen.read_until(lambda: screen.order(large, busy) == [large, busy], "the largest first again")
        self.assertRegex(screen.frame(), "[▁▂▃▄▅▆▇█]", "a line of the last minute")
        screen.type("q")
        text = screen.to_the_end()
        self.assertTrue(text.rstrip().endswith("\x1b[?1049l"), "the terminal is as it was")
        for running in (large, busy):
            running.cancel()


class Terminal:
    """A verb on a pseudo-terminal."""
    def __init__(self, test, words, environment):
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 220, 0, 0))
        command = [program("crows-nest"), *words, "--state-dir", str(test.daemon.state_dir)]
        self._process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        self._text = ""
        test.addCleanup(self._close)

    def _close(self):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._master)

    def _read(self, timeout):
        if not select.select([self._master], [], [], timeout)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False  # EIO: nobody has it open any more
        self._text += data.decode("utf-8", errors="replace")
        return bool(data)

    def type(self, keys):
        os.write(self._master, keys.encode())

    def frame(self):
        """What was drawn last, as a whole."""
        frames = self._text.split("\x1b[H")
        return frames[-2] if len(frames) > 2 else ""

    def order(self, *running):
        frame = self.frame()
        seen = [(frame.find(each.job_id), each) for each in running]
        return [each for place, each in sorted(seen, key=lambda pair: pair[0]) if place >= 0]

    def read_until(self, condition, what):
        deadline = time.monotonic() + 20 * TIME_SCALE
        while not condition():
            assert time.monotonic() < deadline and self._read(1), f"waited in vain: {what}\n{self.frame()}"

    def to_the_end(self):
        while self._read(20 * TIME_SCALE):
            pass
        self._process.wait()
        return self._text
