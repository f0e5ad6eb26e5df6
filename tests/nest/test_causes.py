"""The true cause of each death, with its evidence; and what is not one."""

import json
import os
import pathlib
import signal
import subprocess

from api.base import job, side_by_side
from nest import groups
from nest.base import CONFIG, NestTest, millis, module_nest
from nest.causes import CAUSES, judge
from support.auditor import Auditor
from support.daemon import Daemon
from support.process import TIME_SCALE, wait_until

setUpModule, tearDownModule = module_nest()

RUNS = int(os.environ.get("OUTRIGGER_CAUSE_RUNS", "5"))


class Causes(NestTest):
    def test_each_cause_each_time(self):
        signal.alarm(int((120 + RUNS * len(CAUSES) / 4) * TIME_SCALE))
        for number, cause in enumerate(CAUSES):
            with self.subTest(cause.name):
                tenant = f"cause-{number}"

                def run(_, cause=cause, tenant=tenant):
                    return self.run_code(cause.language, cause.program, tenant_id=tenant, limits=cause.limits)

                ids = {result["job_id"] for result in side_by_side(run, range(RUNS), 2)}
                lines = wait_until(lambda: len(found := self.auditor.lines("--tenant", tenant)) >= RUNS and found, 20,
                                   "a line each")
                self.assertEqual({line["job_id"] for line in lines}, ids)
                for line in lines:
                    self.assertEqual(judge(cause, line), [], json.dumps(line, indent=1))
                wrong = self.auditor.incidents("--tenant", tenant, "--rule", "disagreement")
                self.assertEqual(wrong, [], "the daemon told the truth")

    def test_what_the_auditor_saw_itself_is_certain(self):
        result = self.run_code("bash", "sleep 600", limits={"wall_time_ms": millis(3000)})
        line = self.auditor.line_of(result["job_id"])
        self.assertTrue(line["observed"])
        self.assertEqual((line["cause"]["code"], line["confidence"]), ("wall_clock", "certain"))
        self.assertGreater(line["evidence"]["reading.observed_ms"], millis(3000) * 0.9)

    def test_a_call_that_is_not_allowed_is_named(self):
        result = self.run_code("python", "import ctypes\nctypes.CDLL(None).unshare(0x10000000)")
        self.assertIn("unshare", self.auditor.line_of(result["job_id"])["cause"]["text"])

    def test_a_client_that_leaves(self):
        running = self.begin("bash", "sleep 600")
        running.cancel()
        self.assertEqual(self.auditor.line_of(running.job_id)["cause"]["code"], "cancelled")


class Ancestor(NestTest):
    """A ceiling above the job's own is what killed it."""

    def test_an_ancestors_ceiling_is_not_the_jobs(self):
        parent = groups.own_group("memory") / f"outrigger-test-{os.getpid()}"
        parent.mkdir()
        self.addCleanup(lambda: wait_until(lambda: _removed(parent), 10, f"{parent} goes"))
        # Only on v2: its processes stand in a leaf below, and controllers must reach the jobs.
        with BelowGroup(parent, config=CONFIG + "[pool]\nprimed_memory_bytes = 0\n") as daemon:
            root = pathlib.Path(json.loads((daemon.state_dir / "outriggerd.json").read_text())["cgroup_root"])
            self.assertTrue(root.is_relative_to(parent), root)
            self.limit(root, 48 << 20)
            with Auditor(daemon.state_dir) as auditor:
                code = "import time\ntime.sleep(0.5)\nx = b'x' * (100 << 20)\ntime.sleep(60)"
                result = daemon.execute(job("python", code, limits={"cpu_cores": 1.0})).json
                line = auditor.line_of(result["job_id"])
                self.assertEqual(line["cause"]["code"], "ancestor_memory", json.dumps(line, indent=1))
                self.assertGreater(line["evidence"]["summary.oom_kills"], 0)
                text = auditor.incident("oom_kill", result["job_id"])["text"]
                self.assertNotIn("own ceiling", text)

    def limit(self, root, size):
        if (root / "memory.max").exists():
            (root / "memory.max").write_text(str(size))
            (root / "memory.swap.max").write_text("0")
        else:
            (root / "memory.limit_in_bytes").write_text(str(size))
            (root / "memory.memsw.limit_in_bytes").write_text(str(size))


def _removed(group):
    for each in sorted(group.rglob("*"), key=lambda path: len(path.parts), reverse=True):
        if each.is_dir():
            each.rmdir()
    try:
        group.rmdir()
    except OSError:
        return False
    return True


class BelowGroup(Daemon):
    """A daemon that is started in a control group of its own, and makes its jobs' groups below that."""
    def __init__(self, group, **options):
        super().__init__(**options)
        self._group = group

    def _command(self, listen_host):
        enter = f'echo $$ > "{self._group}/cgroup.procs" && exec "$@"'
        return ["bash", "-c", enter, "bash", *super()._command(listen_host)]


class Facts(NestTest):
    def test_a_line_has_what_the_contract_names(self):
        result = self.run_code("python", "print(sum(range(10**6)))", tenant_id="facts")
        line = self.auditor.line_of(result["job_id"])
        for name in ("seq", "recorded_at", "prev", "hash", "job_id", "tenant_id", "language", "status", "exit_code",
                     "signal", "cause", "confidence", "evidence", "wall_time_ms", "peak_memory_bytes", "cpu_usage_usec",
                     "cpu_cycles", "started_at", "ended_at", "cgroup_driver"):
            self.assertIn(name, line)
        self.assertEqual((line["tenant_id"], line["status"], line["exit_code"]), ("facts", "completed", 0))
        self.assertAlmostEqual(line["wall_time_ms"], result["wall_time_ms"], delta=0.01)
        self.assertAlmostEqual(line["cpu_usage_usec"] / 1000, result["cpu_time_ms"], delta=0.01)
        self.assertEqual(line["peak_memory_bytes"], result["peak_memory_bytes"])
        self.assertEqual(line["cgroup_driver"], groups.version_of(self.daemon))
        if line["cpu_cycles"] is None:
            self.assertRegex(line["cpu_cycles_absent"], "[a-z]")

    def test_it_holds_nothing_of_the_jobs_own(self):
        self.run_code("bash", "echo marked-output-5151; exit 3", stdin="marked-stdin-5151", env={"X": "marked-env-5151"})
        lines = subprocess.run(["grep", "-r", "marked-", str(self.daemon.state_dir / "ledger")], capture_output=True,
                               check=False)
        self.assertEqual(lines.stdout, b"")
