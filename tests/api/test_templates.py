"""Interpreters that are forked from a template: what a copy must not share, what can't be forked, and templates that go."""

import os
import pathlib
import re
import signal
import tempfile

from api.base import ApiTest, module_daemon, side_by_side
from support.daemon import Daemon
from support.process import children_of, is_alive, wait_until

setUpModule, tearDownModule = module_daemon()

_RUNTIMES = pathlib.Path(__file__).resolve().parents[2] / "runtimes"
# Whether this interpreter was forked: a template has imported json before anything was run.
_FORKED = "import sys; print('json' in sys.modules)"


def templates_of(daemon):
    found = []
    for pid in children_of(daemon.jailer_pid):
        try:
            program = pathlib.Path(f"/proc/{pid}/exe").readlink()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
        if program.name.startswith("python3"):
            found.append(pid)
    return found


def runtimes_with(directory, **settings):
    """A copy of the runtimes in which python has these settings, too, and is the only one with templates."""
    for file in _RUNTIMES.rglob("*"):
        if file.name == "python-data.toml":
            continue
        target = pathlib.Path(directory, file.relative_to(_RUNTIMES))
        if file.is_dir():
            target.mkdir(exist_ok=True)
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(file.read_bytes())
    python = pathlib.Path(directory, "python.toml")
    lines = "".join(f"{name} = {value}\n" for name, value in settings.items())
    python.write_text(lines + python.read_text(encoding="utf-8"), encoding="utf-8")
    return directory


class Forks(ApiTest):
    def test_a_job_is_forked(self):
        self.assert_completed(self.run_code("python", _FORKED), "True\n")

    def test_limits_of_its_own_are_no_hindrance(self):
        for limits in ({"memory_bytes": 64 << 20}, {"pids": 3}, {"tmpfs_bytes": 1 << 20}):
            with self.subTest(limits):
                self.assert_completed(self.run_code("python", _FORKED, limits=limits), "True\n")

    def test_the_limits_are_the_jobs(self):
        grabbing = self.run_code("python", "b = b'x' * (96 << 20)", limits={"memory_bytes": 64 << 20})
        self.assertEqual(grabbing["status"], "memory_exceeded")
        forking = self.run_code("python", "import os, time\nfor _ in range(9):\n  if os.fork() == 0: time.sleep(9)",
                                limits={"pids": 3, "wall_time_ms": 2000})
        self.assertIn("BlockingIOError", forking["stderr"])

    def test_a_variable_that_is_read_at_the_start_is_honoured(self):
        """Such a job gets an interpreter started for it."""
        hashes = {self.run_code("python", "print(hash('a'))", env={"PYTHONHASHSEED": "0"})["stdout"] for _ in range(3)}
        self.assertEqual(len(hashes), 1)
        self.assert_completed(self.run_code("python", "import time; print(time.tzname[0])", env={"TZ": "Asia/Tokyo"}), "JST\n")
        self.assert_completed(self.run_code("python", "import sys; print(sys.flags.optimize)", env={"PYTHONOPTIMIZE": "2"}), "2\n")
        self.assert_completed(self.run_code("node", "console.log(new Date(0).getHours())", env={"TZ": "Asia/Tokyo"}), "9\n")

    def test_other_variables_are_the_jobs_own(self):
        code = "import os, subprocess; print(os.environ['MODE'], os.environb[b'MODE'], 'USER' in os.environ); " \
               "print(subprocess.check_output('echo $MODE', shell=True))"
        self.assert_completed(self.run_code("python", code, env={"MODE": "\u00e4"}),
                              "\u00e4 b'\\xc3\\xa4' True\nb'\\xc3\\xa4\\n'\n")

    def test_a_file_named_as_an_imported_module_is_found_first(self):
        files = [{"path": "json.py", "content": "print('mine')"}]
        self.assert_completed(self.run_code("python", "import json", files=files, args=["x"]), "mine\n")
        package = [{"path": "logging/__init__.py", "content": "print('mine too')"}]
        self.assert_completed(self.run_code("python", "import logging", files=package), "mine too\n")

    def test_no_two_jobs_share_what_is_drawn_by_chance(self):
        code = "import random, secrets, uuid, tempfile; print(random.random(), secrets.token_hex(), uuid.uuid4(), " \
               "tempfile.mkdtemp(), random.Random().random(), random.SystemRandom().random())"
        outputs = [one["stdout"].split() for one in side_by_side(lambda _: self.run_code("python", code), range(12), 6)]
        for drawn in zip(*outputs):
            self.assertEqual(len(set(drawn)), len(outputs), drawn)

    def test_an_end_is_told_as_it_was(self):
        for code, status in (("import sys; sys.exit(3)", 3), ("raise SystemExit('x')", 1), ("1/0", 1),
                             ("import os; os._exit(9)", 9), ("import sys; sys.stdout.close(); sys.exit(4)", 4)):
            with self.subTest(code):
                self.assertEqual(self.run_code("python", code)["exit_code"], status)
        for name in ("SIGTERM", "SIGKILL", "SIGSEGV", "SIGINT"):
            with self.subTest(name):
                result = self.run_code("python", f"import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL); "
                                                 f"os.kill(os.getpid(), signal.{name})")
                self.assertEqual((result["status"], result["signal"]), ("signaled", name))


class Templates(ApiTest):
    def setUp(self):
        super().setUp()
        self.directory = self.enterContext(tempfile.TemporaryDirectory())

    def start(self, **settings):
        self.daemon = self.enterContext(Daemon(args=["--runtimes-dir", runtimes_with(self.directory, **settings)]))

    def hash_secret(self):
        result = self.run_code("python", "print(hash('secret'))")
        self.assertEqual(result["status"], "completed", result)
        return result["stdout"]

    def test_a_template_is_replaced_by_count(self):
        """Its hash secret is that of few jobs only; the old one ends when the last of its jails has."""
        self.start(template_jails=5)
        first = set(templates_of(self.daemon))
        self.assertEqual(len(first), 1)
        self.hash_secret()
        secrets = set()
        wait_until(lambda: secrets.add(self.hash_secret()) or len(secrets) > 2, 60, "three templates have served")
        wait_until(lambda: not any(map(is_alive, first)), 30, "the first one has ended")
        self.assertLessEqual(len(templates_of(self.daemon)), 3)

    def test_one_that_is_killed_is_replaced(self):
        """Its jails die with it, and say so; later jobs run, by an interpreter of their own until another is ready."""
        self.start()
        (template,) = templates_of(self.daemon)
        os.kill(template, signal.SIGKILL)
        wait_until(lambda: not is_alive(template), 10, "it is dead")
        for _ in range(8):
            self.assert_completed(self.run_code("python", "print(1)"), "1\n")
        wait_until(lambda: self.run_code("python", _FORKED)["stdout"] == "True\n", 30, "jobs are forked again")

    def test_a_job_that_runs_while_its_template_is_killed_is_told_so(self):
        self.start()
        (template,) = templates_of(self.daemon)
        acts = (lambda: self.run_code("python", "import time; time.sleep(30)"), lambda: self.kill_when_busy(template))
        (result, _) = side_by_side(lambda act: act(), acts, 2)
        self.assertEqual(result["status"], "internal_error")

    def kill_when_busy(self, template):
        # Its card is written when the program has been handed over.
        wait_until(lambda: any((self.daemon.state_dir / "jobs").iterdir()), 10, "the job runs")
        os.kill(template, signal.SIGKILL)

    def test_a_module_that_is_not_there_stops_the_start(self):
        runtimes_with(self.directory)
        python = pathlib.Path(self.directory, "python.toml")
        python.write_text(re.sub(r'"abc", ', '"no_such_module", ', python.read_text(encoding="utf-8")), encoding="utf-8")
        with self.assertRaisesRegex(Exception, "template"):
            self.enterContext(Daemon(args=["--runtimes-dir", self.directory]))
