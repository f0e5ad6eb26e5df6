"""The auditor with exactly the rights that its unit gives it, and with one of them missing."""

import contextlib
import json
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import unittest

from deploy.auditor import Auditor
from deploy.confinement import capabilities_of, in_filter_of, with_only
from deploy.files import DEPLOY, source, unit
from support.daemon import Daemon
from support.process import TIME_SCALE, cgroups_of, program, wait_until

BUSY = {"tenant_id": "deploy", "language": "python", "code": "while True: pass",
        "limits": {"wall_time_ms": 60000, "cpu_time_ms": 60000}}
CEILINGS = "[ceilings]\nwall_time_ms = 60000\ncpu_time_ms = 60000\n"
EVERYTHING = {"table", "dispatch", "escape", "ledger", "spool"}
# Without one: what goes wrong. What PERFMON is for few machines have: cycles counted for groups.
LOST = {"dac_override": EVERYTHING - {"dispatch"}, "sys_ptrace": {"escape"}, "perfmon": set()}
# An auditor looks ten times a second here, and asks at every eighth look who is in the group.
TWENTY_LOOKS = 2.0


class Watched:
    """A busy job, a stranger in its control group, and what an auditor makes of both. `before`: what confines it."""
    def __init__(self, before):
        self._before = before
        self.faults = set()
        self.log = ""

    def look(self):
        with Daemon(config=CEILINGS) as daemon, Auditor(daemon, self._before) as auditor:
            with running(daemon) as job_id:
                self._expect("table", lambda: job_id in self._table(daemon))
                self._expect("dispatch", lambda: auditor.await_page(lambda page: "\ncrows_nest_dispatch_paused 0" in page))
                with stranger_in(job_id):
                    self._expect("escape", lambda: self._told_of_escape(auditor, job_id))
            self._expect("spool", lambda: self._is_emptied(daemon))
            self._expect("ledger", lambda: [line["job_id"] for line in auditor.lines("execution")] == [job_id])
            self.log = auditor.log()
        return self.faults

    def _expect(self, what, holds):
        try:
            if holds():
                return
        except AssertionError:
            pass
        self.faults.add(what)

    def _table(self, daemon):
        """The ids that `--audit` shows, with the same rights."""
        shown = subprocess.run([*self._before, program("crows-nest"), "outrigger", "--audit", "--active-jobs", "--json",
                                "--state-dir", str(daemon.state_dir)], capture_output=True, text=True, timeout=60)
        return [job["job_id"] for job in json.loads(shown.stdout)["jobs"]] if shown.returncode in (0, 1) else []

    @staticmethod
    def _told_of_escape(auditor, job_id):
        end = time.monotonic() + TWENTY_LOOKS * TIME_SCALE
        while time.monotonic() < end:
            for line in auditor.lines("incidents"):
                if line["rule"] == "escape_signs" and line["job_id"] == job_id:
                    return True
            time.sleep(0.05)
        return False

    @staticmethod
    def _is_emptied(daemon):
        spool = daemon.state_dir / "terminations"
        wait_until(lambda: not list(spool.iterdir()), TWENTY_LOOKS, "the spool is emptied")
        return True


@contextlib.contextmanager
def running(daemon):
    """A job that runs until the block's end; its id."""
    thread = threading.Thread(target=daemon.execute, args=(BUSY, ))
    thread.start()
    try:
        job_id = wait_until(lambda: next((card.stem for card in (daemon.state_dir / "jobs").glob("*.json")), None), 15,
                            "the job's card")
        try:
            yield job_id
        finally:
            daemon.request("DELETE", f"/api/v1/runs/{job_id}")
    finally:
        thread.join()


@contextlib.contextmanager
def stranger_in(job_id):
    """A process of another user, in no jail, that is moved into the job's group."""
    with subprocess.Popen(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "sleep", "600"]) as one:
        try:
            for group in cgroups_of(job_id):
                pathlib.Path(group, "cgroup.procs").write_text(str(one.pid), encoding="ascii")
            yield
        finally:
            one.kill()


class Capabilities(unittest.TestCase):
    def test_are_enough_for_everything_the_auditor_does(self):
        watched = Watched(with_only(capabilities_of("crows-nest")))
        self.assertEqual(watched.look(), set(), watched.log)

    def test_are_all_needed(self):
        given = capabilities_of("crows-nest")
        self.assertEqual(set(given), set(LOST))
        told = re.findall(r"^- `CAP_([A-Z_]+)`", source("docs/deployment.md"), re.MULTILINE)
        self.assertEqual({name.lower() for name in told}, set(given))
        for missing in given:
            with self.subTest(missing=missing):
                watched = Watched(with_only([name for name in given if name != missing]))
                self.assertEqual(watched.look(), LOST[missing], watched.log)

    def test_reading_alone_would_not_empty_the_spool(self):
        watched = Watched(with_only(["dac_read_search", "sys_ptrace"]))
        self.assertEqual(watched.look(), {"spool"})
        self.assertIn("summary_not_removed", watched.log)


class Unit(unittest.TestCase):
    def test_its_filter_refuses_nothing_the_auditor_asks_for(self):
        watched = Watched(in_filter_of("crows-nest"))
        self.assertEqual(watched.look(), set(), watched.log)

    def test_systemd_takes_both(self):
        with tempfile.TemporaryDirectory() as directory:
            for name in ("outriggerd", "crows-nest"):
                text = (DEPLOY / f"systemd/{name}.service").read_text(encoding="utf-8")
                # It looks whether the programs are there.
                text = text.replace(f"/usr/lib/outrigger/{name}", program(name))
                pathlib.Path(directory, f"{name}.service").write_text(text, encoding="utf-8")
            for file in sorted(pathlib.Path(directory).iterdir()):
                ended = subprocess.run(["systemd-analyze", "verify", "--man=no", file], capture_output=True, text=True,
                                       timeout=60)
                self.assertEqual((ended.returncode, ended.stdout + ended.stderr), (0, ""), file.name)

    def test_sets_nothing_that_blinds_the_auditor(self):
        text = (DEPLOY / "systemd/crows-nest.service").read_text(encoding="utf-8")
        told = text[text.index("# What must not be set"):text.index("[Install]")]
        forbidden = set(re.findall(r"\b([A-Z][A-Za-z]+)=", told)) | {"RuntimeDirectory"}
        self.assertGreater(len(forbidden), 7)
        self.assertEqual(forbidden & set(unit("crows-nest")), set())

    def test_gives_what_the_auditor_counts_on(self):
        settings = unit("crows-nest")
        for name, value in {"Restart": "always", "OOMScoreAdjust": "-900", "StateDirectory": "outrigger",
                            "After": "outriggerd.service", "Wants": "outriggerd.service"}.items():
            self.assertEqual(settings.get(name), value, name)


if __name__ == "__main__":
    unittest.main()
