"""What leaves the auditor beside its ledgers: metrics, alerts, logs."""

import http.server
import json
import re
import threading

from nest import groups
from nest.base import OwnDaemonTest, millis
from support.auditor import Auditor
from support.http import exchange
from support.process import free_port, wait_until

LONG = {"wall_time_ms": millis(20000)}


class Metrics(OwnDaemonTest):
    def page(self, port):
        return exchange("127.0.0.1", port, "GET", "/metrics").raw.decode()

    def test_a_jobs_series_live_as_long_as_it_does(self):
        port = free_port()
        self.audit("--metrics", f"127.0.0.1:{port}")
        running = self.begin("python", "x = bytearray(20 << 20)\nimport time\ntime.sleep(600)", tenant_id="seen", limits=LONG)
        labels = f'{{job_id="{running.job_id}",tenant_id="seen"}}'
        wait_until(lambda: f"crows_nest_job_memory_bytes{labels}" in self.page(port), 20, "its series appear")
        wait_until(lambda: groups.read(self.daemon, running.job_id, "memory") > 20 << 20, 20, "it has its memory")

        def memory():
            found = re.search(rf"crows_nest_job_memory_bytes{re.escape(labels)} (\S+)", self.page(port))
            return float(found.group(1))

        wait_until(lambda: memory() > 20 << 20, 20, "its memory is shown")
        for name in ("crows_nest_job_cpu_usage_seconds_total", "crows_nest_job_cpu_throttled_seconds_total",
                     "crows_nest_job_pids"):
            self.assertIn(name + labels, self.page(port))
        running.cancel()
        self.auditor.line_of(running.job_id)
        wait_until(lambda: running.job_id not in self.page(port), 20, "they go with it")
        self.assertIn('crows_nest_terminations_total{cause="cancelled"} 1', self.page(port))

    def test_counts(self):
        port = free_port()
        self.audit("--metrics", f"127.0.0.1:{port}")
        done = [self.run_code("python", "x = b'x' * (1 << 30)", limits={"memory_bytes": 32 << 20}), self.run_code("bash", "true")]
        for each in done:
            self.auditor.line_of(each["job_id"])
        wait_until(lambda: 'crows_nest_terminations_total{cause="exited"} 1' in self.page(port), 20, "they are counted")
        text = self.page(port)
        self.assertIn('crows_nest_terminations_total{cause="memory_ceiling"} 1', text)
        self.assertRegex(text, r'crows_nest_memory_events_total\{event="oom_kill"\} [1-9]')
        self.assertIn('crows_nest_ledger_lines_total{ledger="execution"} 2', text)
        for name in ("crows_nest_missed_jobs_total", "crows_nest_inotify_overflows_total", "crows_nest_ledger_errors_total",
                     "process_cpu_seconds_total", "process_resident_memory_bytes", "crows_nest_alerts_dropped_total"):
            self.assertRegex(text, rf"(?m)^{name}")

    def test_a_place_that_is_taken_is_said(self):
        done = Auditor(self.daemon.state_dir).verb("watch", "--metrics", f"127.0.0.1:{self.daemon.port}", status=(2, ))
        self.assertIn(f"127.0.0.1:{self.daemon.port}", done.stderr.decode())


class Receiver:
    """Takes alerts; refuses the first so many."""
    def __init__(self, refuse=0):
        self.bodies, self.refused = [], 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                refused = outer.refused < refuse
                if refused:
                    outer.refused += 1
                else:
                    outer.bodies.append(json.loads(body))
                self.send_response(503 if refused else 204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/alerts"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Alerts(OwnDaemonTest):
    def provoke(self):
        result = self.run_code("python", "x = b'x' * (1 << 30)", limits={"memory_bytes": 32 << 20})
        self.auditor.incident("oom_kill", result["job_id"])
        return result["job_id"]

    def test_each_incident_is_posted(self):
        with Receiver(refuse=1) as receiver:
            self.audit("--webhook", receiver.url)
            job_id = self.provoke()
            (alert, *_) = wait_until(lambda: list(receiver.bodies), 30, "an alert comes")
        # On a slow machine the job is seen near its limit, too, before it dies of it.
        incident = self.auditor.incidents("--job", job_id, "--rule", alert["rule"])[0]
        for name in ("rule", "severity", "job_id", "tenant_id", "text", "evidence"):
            self.assertEqual(alert[name], incident[name])

    def test_a_receiver_that_is_away_costs_alerts_and_nothing_else(self):
        port = free_port()
        gone = f"http://127.0.0.1:{free_port()}/alerts"
        self.audit("--webhook", gone, "--metrics", f"127.0.0.1:{port}")
        job_id = self.provoke()
        wait_until(lambda: re.search(r"crows_nest_alerts_dropped_total [1-9]",
                                     exchange("127.0.0.1", port, "GET", "/metrics").raw.decode()),
                   30, "the alert is counted as dropped")
        incidents = self.auditor.incidents("--job", job_id, "--rule", "oom_kill")
        self.assertEqual({incident["job_id"] for incident in incidents}, {job_id}, incidents)

    def test_what_is_no_url_is_refused_at_the_start(self):
        done = Auditor(self.daemon.state_dir).verb("watch", "--webhook", "not a url", status=(2, ))
        self.assertIn("webhook", done.stderr.decode())


class Log(OwnDaemonTest):
    def test_in_json_on_request(self):
        self.audit("--json")
        result = self.run_code("python", "x = b'x' * (1 << 30)", limits={"memory_bytes": 32 << 20})
        self.auditor.incident("oom_kill", result["job_id"])
        lines = [json.loads(line) for line in self.auditor.log_text().splitlines()]
        self.assertIn(result["job_id"], [line.get("job_id") for line in lines])
