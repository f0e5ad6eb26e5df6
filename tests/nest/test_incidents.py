"""What the auditor files while jobs run: each rule provoked on the running kernel."""

import json
import os
import pathlib
import signal
import subprocess
import time

from nest import groups
from nest.base import NestTest, millis, module_nest
from support.process import wait_until

setUpModule, tearDownModule = module_nest()

SPIN = "while True: pass"
LONG = {"wall_time_ms": millis(20000)}


class Rules(NestTest):
    def test_a_job_held_back_by_its_quota_is_told_once(self):
        running = self.begin("python", SPIN, limits={**LONG, "cpu_cores": 0.1})
        incident = self.auditor.incident("scheduling_contention", running.job_id)
        self.assertEqual(incident["severity"], "warning")
        self.assertEqual(incident["tenant_id"], "test")
        self.assertGreater(json.dumps(incident["evidence"]), "")
        # At least three more intervals, in which it is held back as before.
        seen = groups.read(self.daemon, running.job_id, "throttled_usec")
        wait_until(lambda: groups.read(self.daemon, running.job_id, "throttled_usec") > seen + 500_000, 20, "more of it")
        running.cancel()
        self.auditor.line_of(running.job_id)
        self.assertEqual(len(self.auditor.incidents("--job", running.job_id, "--rule", "scheduling_contention")), 1)

    def test_at_its_quota_for_its_whole_life(self):
        running = self.begin("python", SPIN, limits={**LONG, "cpu_cores": 0.2})
        self.auditor.incident("runaway", running.job_id)
        running.cancel()

    def test_near_its_memory_ceiling(self):
        running = self.begin("python", "x = bytearray(118 << 20)\nimport time\ntime.sleep(600)", limits=LONG)
        self.auditor.incident("memory_approach", running.job_id)
        running.cancel()

    def test_a_child_killed_for_memory_while_its_parent_lives(self):
        code = "import os, time\nif os.fork() == 0:\n    x = b'x' * (1 << 30)\nos.wait()\ntime.sleep(600)"
        running = self.begin("python", code, limits={**LONG, "memory_bytes": 32 << 20})
        incident = self.auditor.incident("oom_kill", running.job_id)
        self.assertEqual(incident["severity"], "warning", incident)
        self.assertGreaterEqual(groups.read(self.daemon, running.job_id, "oom_kills"), 1)
        running.cancel()

    def test_a_fork_bomb(self):
        code = "f() { f | f & }; f; sleep 600"
        running = self.begin("bash", code, limits={**LONG, "pids": 12})
        incident = self.auditor.incident("fork_bomb", running.job_id)
        self.assertEqual(incident["severity"], "critical")
        running.cancel()

    def test_tasks_close_to_the_limit(self):
        running = self.begin("bash", "for i in 1 2 3 4 5 6 7 8; do sleep 600 & done; wait", limits={**LONG, "pids": 10})
        self.auditor.incident("pids_limit", running.job_id)
        running.cancel()
        self.assertEqual(self.auditor.incidents("--job", running.job_id, "--rule", "fork_bomb"), [])

    def test_a_quiet_job_is_no_incident(self):
        # Bandwidth enough for its start, wherever this runs.
        running = self.begin("bash", "sleep 600", limits={**LONG, "cpu_cores": 2.0})
        looks = 10
        for _ in range(looks):
            self.assertEqual(self.row_of(running, "--interval", "50ms")["findings"], [])
        running.cancel()
        self.auditor.line_of(running.job_id)
        self.assertEqual(self.auditor.incidents("--job", running.job_id), [])


class Escapes(NestTest):
    def intrude(self, job_id):
        """A process of the host's own in a job's group."""
        helper = subprocess.Popen(["sleep", "600"])
        self.addCleanup(helper.wait)
        self.addCleanup(helper.kill)
        (groups.directory(self.daemon, job_id) / "cgroup.procs").write_text(str(helper.pid))
        return helper

    def test_a_process_outside_the_jails_namespace(self):
        running = self.begin("bash", "while :; do :; done", limits=LONG)
        helper = self.intrude(running.job_id)
        incident = self.auditor.incident("escape_signs", running.job_id)
        self.assertEqual(incident["severity"], "critical")
        self.assertIn(str(helper.pid), incident["text"] + json.dumps(incident["evidence"]))
        helper.kill()
        helper.wait()
        running.cancel()

    def test_a_group_that_is_populated_after_its_jobs_end(self):
        running = self.begin("bash", "sleep 600", limits=LONG)
        helper = self.intrude(running.job_id)
        group = groups.directory(self.daemon, running.job_id)
        running.cancel()
        told = wait_until(lambda: [each for each in self.auditor.incidents("--rule", "escape_signs", "--job", running.job_id)
                                   if "after its end" in each["text"]], 20, "it is told that something lives")
        self.assertEqual((len(told), told[0]["severity"]), (1, "critical"))
        helper.kill()
        helper.wait()
        wait_until(lambda: not group.exists(), 20, "the group goes when nothing is in it")

    def test_a_group_nobody_claims(self):
        root = pathlib.Path(json.loads((self.daemon.state_dir / "outriggerd.json").read_text())["cgroup_root"])
        stray = root / f"stray-{os.getpid()}"
        stray.mkdir()
        self.addCleanup(stray.rmdir)
        incident = self.auditor.incident("leaked_cgroup", stray.name)
        self.assertIn(str(stray), incident["text"])
        self.assertIn("rmdir", incident["text"])


class Witnesses(NestTest):
    """The daemon's word against the kernel's."""

    def forge(self, job_id, **lies):
        """A summary as a daemon that lies would write it, in the place of the one that is to come."""
        result = self.run_code("bash", "true")
        truth = self.auditor.line_of(result["job_id"])
        summary = {
            "job_id": job_id, "command": "x", "exit_code": 0, "signal": None, "runtime_ms": 5.0,
            "peak_memory_bytes": 4096, "cgroup_oom_triggered": False, "tenant_id": "test", "language": "bash",
            "status": "completed", "cause": {"code": "exited", "text": "exited with status 0"},
            "started_at": truth["started_at"], "ended_at": truth["ended_at"], "cpu_usage_usec": 10,
            "throttled_usec": 0, "nr_periods": 0, "nr_throttled": 0, "oom_kills": 0, "memory_max_events": 0,
            "pids_peak": 1, "pids_limit_hits": 0, "security_events": [], "stdout_bytes": 0, "stderr_bytes": 0,
            "cgroup_driver": truth["cgroup_driver"], **lies
        }
        place = self.daemon.state_dir / "terminations"
        (place / f".{job_id}").write_text(json.dumps(summary) + "\n")
        (place / f".{job_id}").rename(place / f"{job_id}.json")

    def test_a_summary_that_contradicts_itself(self):
        self.forge("liar-1", status="memory_exceeded", exit_code=137, signal="SIGKILL",
                   cause={"code": "memory_ceiling", "text": "killed for memory"})
        incident = self.auditor.incident("disagreement", "liar-1")
        self.assertEqual(incident["severity"], "critical")
        line = self.auditor.line_of("liar-1")
        self.assertNotEqual(line["cause"]["code"], "memory_ceiling", "137 alone is never memory")

    def test_a_summary_that_hides_what_the_kernel_counted(self):
        code = "import os, time\nif os.fork() == 0:\n    x = b'x' * (1 << 30)\nos.wait()\ntime.sleep(600)"
        running = self.begin("python", code, limits={**LONG, "memory_bytes": 32 << 20})
        self.auditor.incident("oom_kill", running.job_id)
        now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 1)) + "Z"
        self.forge(running.job_id, language="python", peak_memory_bytes=32 << 20, pids_peak=3, started_at=now, ended_at=now)
        incident = self.auditor.incident("disagreement", running.job_id)
        self.assertIn("oom", json.dumps(incident["evidence"]))
        running.cancel()

    def test_a_summary_that_is_none_is_kept_aside_and_told(self):
        place = self.daemon.state_dir / "terminations"
        for name, content in (("bad-1.json", "not json"), ("bad-2.json", ""), ("bad-3.json", '{"job_id":"x"}')):
            (place / f".{name}").write_text(content)
            (place / f".{name}").rename(place / name)
            rejected = self.daemon.state_dir / "ledger" / "rejected" / name
            wait_until(rejected.exists, 20, f"{name} is kept aside")
            self.assertEqual(rejected.read_text(), content)
            self.assertFalse((place / name).exists())
        told = wait_until(lambda: len(self.auditor.incidents("--rule", "bad_summary")) >= 3 and
                          self.auditor.incidents("--rule", "bad_summary"), 20, "three incidents")
        self.assertEqual({each["evidence"]["file"] for each in told}, {"bad-1.json", "bad-2.json", "bad-3.json"})
        result = self.run_code("bash", "true")
        self.auditor.line_of(result["job_id"])

    def test_the_auditor_goes_on(self):
        self.assertTrue(self.auditor.is_running(), self.auditor.log_text())
        os.kill(self.auditor.pid, signal.SIGCONT)
