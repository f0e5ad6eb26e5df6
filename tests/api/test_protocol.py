"""What the auditor reads of a daemon: a card while a job runs, one summary when it has ended."""

import datetime
import json
import threading
import time

from api.base import ApiTest, job, module_daemon, side_by_side
from api.results import EVENT_TYPES, LIMITS
from support.http import strict_json
from support.process import wait_until

setUpModule, tearDownModule = module_daemon()

_CARD = {"job_id", "tenant_id", "language", "command", "started_at", "limits", "cgroup"}
_COUNTERS = {
    "cpu_usage_usec", "setup_cpu_usec", "throttled_usec", "nr_periods", "nr_throttled", "oom_kills",
    "memory_max_events", "pids_peak", "pids_limit_hits", "peak_memory_bytes"
}
_SUMMARY = _COUNTERS | {
    "job_id", "command", "exit_code", "signal", "runtime_ms", "cgroup_oom_triggered", "tenant_id", "language", "status",
    "cause", "started_at", "ended_at", "security_events", "stdout_bytes", "stderr_bytes", "cgroup_driver"
}


def instant(text):
    """An ISO 8601 time with its zone, as seconds."""
    found = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    assert found.tzinfo is not None, text
    return found.timestamp()


class Cards(ApiTest):
    def _start(self, body):
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.daemon.execute(body)))
        thread.start()
        (path, ) = wait_until(lambda: list((self.daemon.state_dir / "jobs").glob("*.json")), 10, "a card appears")
        return thread, answers, path

    def test_a_card_exists_while_the_job_runs(self):
        body = job("python", "import time\ntime.sleep(1)", tenant_id="card-tenant", args=["one", "two words"],
                   limits={"pids": 9})
        before = time.time()
        thread, answers, path = self._start(body)
        card = strict_json(path.read_bytes())
        thread.join()
        self.assertFalse(path.exists(), "the card outlived its job")
        self.assertEqual(set(card), _CARD)
        self.assertEqual(path.name, card["job_id"] + ".json")
        self.assertEqual(card["job_id"], answers[0].json["job_id"])
        self.assertEqual((card["tenant_id"], card["language"]), ("card-tenant", "python"))
        self.assertEqual(card["limits"], {**LIMITS, "pids": 9})
        self.assertIn("python3 main.py", card["command"])
        self.assertIn(card["job_id"], card["cgroup"])
        self.assertIn("outrigger", card["cgroup"])
        self.assertTrue(before - 5 < instant(card["started_at"]) < time.time() + 5, card)

    def test_a_card_is_never_seen_half_written(self):
        stop, faults = threading.Event(), []

        def watch():
            while not stop.is_set():
                for path in (self.daemon.state_dir / "jobs").glob("*.json"):
                    try:
                        strict_json(path.read_bytes())
                    except FileNotFoundError:
                        pass
                    except AssertionError as error:
                        faults.append(error)

        watcher = threading.Thread(target=watch)
        watcher.start()
        side_by_side(lambda _: self.run_code("bash", "true"), range(60), 8)
        stop.set()
        watcher.join()
        self.assertEqual(faults, [])
        self.assertEqual(list((self.daemon.state_dir / "jobs").iterdir()), [])

    def test_a_refused_request_has_no_card_and_no_summary(self):
        before = set((self.daemon.state_dir / "terminations").iterdir())
        self.assert_refused(job("bash", ""), 400, "code")
        self.assertEqual(set((self.daemon.state_dir / "terminations").iterdir()), before)
        self.assertEqual(list((self.daemon.state_dir / "jobs").iterdir()), [])


class Summaries(ApiTest):
    def summary_of(self, result):
        return strict_json((self.daemon.state_dir / "terminations" / f"{result['job_id']}.json").read_bytes())

    def assert_tells_the_same(self, summary, result):
        self.assertEqual(set(summary), _SUMMARY)
        for name in ("job_id", "tenant_id", "language", "status", "exit_code", "signal", "cause", "stdout_bytes",
                     "stderr_bytes", "peak_memory_bytes", "cgroup_oom_triggered", "oom_kills", "security_events"):
            self.assertEqual(summary[name], result[name], name)
        self.assertAlmostEqual(summary["runtime_ms"], result["wall_time_ms"], delta=0.01)
        self.assertAlmostEqual(summary["cpu_usage_usec"] / 1000, result["cpu_time_ms"], delta=0.01)
        self.assertLessEqual(instant(summary["started_at"]), instant(summary["ended_at"]))
        self.assertIn(summary["cgroup_driver"], ("v1", "v2"))
        for name in _COUNTERS:
            self.assertIsInstance(summary[name], (int, type(None)), name)

    def test_each_ending_has_its_summary_when_the_answer_arrives(self):
        quick = {"limits": {"wall_time_ms": 400}}
        cases = [("bash", "echo out; echo error >&2", {}), ("bash", "exit 3", {}), ("bash", "sleep 60", quick),
                 ("bash", "kill -SEGV $$", {}), ("python", "x = b'x' * (1 << 30)", {}),
                 ("bash", "while :; do :; done", {"limits": {"cpu_time_ms": 200}}),
                 ("python", "import ctypes\nctypes.CDLL(None).socket(2, 1, 0)", {}), ("bash", "yes", quick)]
        results = self.run_all(cases)
        self.assertEqual([result["status"] for result in results], [
            "completed", "failed", "timeout", "signaled", "memory_exceeded", "cpu_exceeded", "security_violation",
            "timeout"
        ])
        for result in results:
            with self.subTest(result["status"]):
                self.assert_tells_the_same(self.summary_of(result), result)

    def test_what_the_kernel_counted(self):
        code = ("import os\npids = [os.fork() for _ in range(2)]\nif 0 in pids: os._exit(0)\n"
                "os.wait(); os.wait()\nwhile True: pass")
        result = self.run_code("python", code, limits={"wall_time_ms": 2000, "cpu_cores": 0.05})
        summary = self.summary_of(result)
        self.assertGreater(summary["cpu_usage_usec"], 20000)
        self.assertGreater(summary["nr_periods"], 0)
        self.assertGreater(summary["nr_throttled"], 0)
        self.assertGreater(summary["throttled_usec"], 0)
        self.assertEqual(summary["oom_kills"], 0)
        self.assertIn(summary["pids_limit_hits"], (0, None))
        self.assertEqual({event["type"] for event in summary["security_events"]} - EVENT_TYPES, set())

    def test_one_file_a_job(self):
        directory = self.daemon.state_dir / "terminations"
        before = {path.name for path in directory.iterdir()}
        results = side_by_side(lambda n: self.run_code("bash", f"exit {n % 3}"), range(50), 10)
        new = {path.name for path in directory.iterdir()} - before
        self.assertEqual(new, {f"{result['job_id']}.json" for result in results})
        for result in results:
            text = (directory / f"{result['job_id']}.json").read_text(encoding="utf-8")
            self.assertEqual(text.count("\n"), 1, "one line, one object")
            self.assertEqual(json.loads(text)["exit_code"], result["exit_code"])
