"""The ceiling for all jobs together, on a real daemon with a low one."""

import json
import signal
import threading
import time

from api.base import job
from nest import groups
from nest.base import CONFIG, OwnDaemonTest, millis
from support.auditor import Auditor
from support.daemon import Daemon
from support.process import wait_until

LONG = {"wall_time_ms": millis(40000)}
HOLD = "import time\nx = bytearray(80 << 20)\ntime.sleep(600)"


def low_ceiling():
    """A ceiling of some 60 MiB, whatever the machine has."""
    with open("/proc/meminfo", encoding="ascii") as lines:
        total = next(int(line.split()[1]) for line in lines if line.startswith("MemTotal:")) * 1024
    return f"{100 * (60 << 20) / total:.6f}%"


class Ceiling(OwnDaemonTest):
    def dispatch(self):
        return self.daemon.request("GET", "/api/v1/dispatch").json

    def paused(self):
        return self.dispatch()["paused"]

    def test_pauses_at_the_ceiling_and_resumes_below(self):
        self.audit("--ceiling", low_ceiling())
        running = self.begin("python", HOLD, limits=LONG)
        wait_until(self.paused, 20, "dispatch is paused")
        paused_at = time.monotonic()
        self.assertTrue(self.dispatch()["reason"].startswith("crows-nest: "), self.dispatch())
        refused = self.daemon.execute(job("bash", "true"))
        self.assert_error(refused, 503, "dispatch_paused")
        incident = self.auditor.incident("fleet_memory_ceiling")
        self.assertEqual(incident["severity"], "critical")
        self.assertGreater(incident["evidence"]["sandbox_memory_bytes"], 60 << 20)
        self.assertLessEqual(incident["evidence"]["working_set_bytes"], incident["evidence"]["sandbox_memory_bytes"])
        report = self.auditor.table("--ceiling", low_ceiling(), status=(1, ))
        self.assertIs(report["fleet"]["dispatch_paused"], True)
        self.assertGreaterEqual(report["fleet"]["share"], report["fleet"]["ceiling"])
        running.cancel()
        wait_until(lambda: not self.paused(), 30, "dispatch goes on")
        self.assertGreater(time.monotonic() - paused_at, 9, "one change in ten seconds at most")
        self.auditor.incident("fleet_memory_recovered")
        self.assert_completed(self.run_code("bash", "true"))

    def test_a_pause_of_somebody_else_is_left_alone(self):
        reason = {"paused": True, "reason": "maintenance"}
        running = self.begin("python", HOLD, limits=LONG)
        wait_until(lambda: groups.read(self.daemon, running.job_id, "memory") > 80 << 20, 20, "it has its memory")
        self.daemon.request("PUT", "/api/v1/dispatch", reason)
        self.audit("--ceiling", low_ceiling())
        self.auditor.table(status=(0, 1))
        self.assertEqual(self.dispatch(), reason)
        running.cancel()
        self.auditor.line_of(running.job_id)
        self.assertEqual(self.dispatch(), reason)
        self.assertEqual(self.auditor.incidents("--rule", "fleet_memory_ceiling"), [])

    def test_another_auditor_ends_the_pause_of_one_that_died(self):
        auditor = self.audit("--ceiling", low_ceiling())
        running = self.begin("python", HOLD, limits=LONG)
        wait_until(self.paused, 20, "dispatch is paused")
        auditor.kill()
        running.cancel()
        self.assertTrue(self.paused())
        auditor.start()
        wait_until(lambda: not self.paused(), 30, "dispatch goes on")

    def test_a_daemon_that_does_not_answer_is_an_incident_and_tried_again(self):
        self.audit("--ceiling", low_ceiling())
        running = self.begin("python", HOLD, limits=LONG)
        wait_until(self.paused, 20, "dispatch is paused")
        self.daemon.process.send_signal(signal.SIGSTOP)
        try:
            incident = self.auditor.incident("daemon_unreachable")
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)
        self.assertIn(str(self.daemon.port), incident["text"])
        self.auditor.incident("daemon_reachable")
        running.cancel()

    def test_with_a_token(self):
        with Daemon(config=CONFIG + '[server]\ntokens = ["first-0123456789abcdef", "second-0123456789abcdef"]\n',
                    healthy=("ok", "unready")) as guarded:
            config = guarded.state_dir / "config.toml"
            with Auditor(guarded.state_dir, ["--ceiling", low_ceiling()]) as stranger:
                self.assertIn("OUTRIGGER_TOKEN", stranger.incident("daemon_unreachable")["text"])
            config.write_text('[server]\ntokens = ["first-0123456789abcdef"]\n')
            with Auditor(guarded.state_dir, ["--ceiling", low_ceiling()]) as auditor:
                headers = {"Authorization": "Bearer second-0123456789abcdef"}
                answer = []
                body = job("python", HOLD, limits=LONG)
                thread = threading.Thread(target=lambda: answer.append(guarded.execute(body, headers)))
                thread.start()
                wait_until(lambda: guarded.request("GET", "/api/v1/dispatch", headers=headers).json["paused"], 20,
                           "dispatch is paused")
                (card, ) = (guarded.state_dir / "jobs").glob("*.json")
                guarded.request("DELETE", f"/api/v1/runs/{json.loads(card.read_text())['job_id']}", headers=headers)
                thread.join()
                self.assertNotIn("0123456789abcdef", auditor.log_text())
