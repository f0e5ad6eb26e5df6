"""Logs: a line a job with whose it was and what became of it, never what it said; and the trace it belongs to."""

import fcntl
import hashlib
import json
import os

from api.base import ApiTest, job
from api.test_callbacks import Receiver, settings
from support.daemon import Daemon
from support.exposition import Exposition
from support.process import wait_until
from support.tokens import bearer, make_token

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
SECRET = "hunter2-in-code-stdin-output-and-env"


def span_of(job_id):
    return hashlib.sha256(job_id.encode()).hexdigest()[:16]


class LogTest(ApiTest):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(args=["--log-format", "json"])
        cls.daemon.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def lines(self, daemon=None):
        return [json.loads(line) for line in (daemon or self.daemon).stderr_text().splitlines()]

    def await_line(self, event, daemon=None, **fields):
        def found():
            return [line for line in self.lines(daemon)
                    if line["event"] == event and all(line.get(name) == value for name, value in fields.items())]

        return wait_until(found, 10, f"a line {event} {fields}")[0]


class Lines(LogTest):
    def test_a_job_that_ends(self):
        body = job("bash", f"echo {SECRET}; cat; echo $WORD >&2; exit 3", stdin=SECRET, env={"WORD": SECRET})
        result = self.execute(body)
        line = self.await_line("job_ended", job_id=result["job_id"])
        self.assertEqual(
            {name: line[name] for name in ("level", "tenant_id", "language", "status", "cause", "exit_code", "origin")},
            {"level": "info", "tenant_id": body["tenant_id"], "language": "bash", "status": "failed", "cause": "exited",
             "exit_code": 3, "origin": "direct"})
        self.assertEqual(line["wall_time_ms"], result["wall_time_ms"])
        self.assertNotIn("trace_id", line)
        self.assertNotIn("token_id", line)

    def test_a_blocked_call_is_named(self):
        result = self.run_code("python", "import socket; socket.socket()")
        line = self.await_line("job_ended", job_id=result["job_id"])
        self.assertEqual((line["status"], line["cause"], line["signal"], line["syscall"]),
                         ("security_violation", "seccomp", "SIGSYS", "socket"))

    def test_nothing_of_what_a_job_is_or_says(self):
        for language, code in (("bash", f"echo {SECRET}; kill -SEGV $$"), ("python", f"raise ValueError('{SECRET}')"),
                               ("node", f"throw new Error('{SECRET}')")):
            self.await_line("job_ended", job_id=self.run_code(language, code, stdin=SECRET)["job_id"])
        for path, body in (("/api/v1/execute", f'{{"code": "{SECRET}"'), ("/api/v1/execute", {"code": SECRET}),
                           (f"/{SECRET}", {}), (f"/api/v1/runs/{SECRET}", None)):
            self.daemon.request("POST" if body else "GET", path, body,
                                headers={"Authorization": f"Bearer {SECRET}", "traceparent": SECRET})
        self.execute(job("bash", "true"))
        self.assertNotIn(SECRET, self.daemon.stderr_text())

    def test_a_value_makes_no_second_line(self):
        response = self.daemon.request("GET", "/api/v1/languages", headers={"Host": "evil.example"})
        self.assertEqual(response.status, 403)
        line = self.await_line("requests_refused", status=403)
        self.assertEqual((line["level"], line["route"]), ("warn", "/api/v1/languages"))
        self.assertGreaterEqual(line["count"], 1)


class NobodyReads(ApiTest):
    def test_it_serves_on_and_tells_of_the_lines_that_were_lost(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 8192)
        with Daemon(args=["--log-format", "json"], stderr=writer) as daemon:
            for _ in range(40):  # some 300 bytes each
                self.execute(job("bash", "true"), daemon)
            lost = Exposition(daemon.request("GET", "/metrics").raw).value("outrigger_log_lines_lost_total")
            self.assertGreater(lost, 0)
            read = os.read(reader, 65536)
            last = self.execute(job("bash", "exit 7"), daemon)
            while b'"exit_code":7' not in read:
                read += os.read(reader, 65536)
        lines = [json.loads(line) for line in read.splitlines()]
        told = [line for line in lines if line["event"] == "log_lines_lost"]
        self.assertEqual([(line["level"], line["count"]) for line in told], [("warn", lost)])
        self.assertEqual(lines[-1]["job_id"], last["job_id"])
        self.assertEqual(sum(line["event"] == "job_ended" for line in lines) + lost, 41)


class Floods(LogTest):
    def test_refusals_are_counted_not_listed(self):
        for _ in range(300):
            self.daemon.request("GET", "/api/v1/languages", headers={"Host": "evil.example"})

        def counted():
            self.daemon.request("GET", "/api/v1/languages", headers={"Host": "evil.example"})
            return sum(line["count"] for line in self.lines() if line["event"] == "requests_refused") >= 301

        wait_until(counted, 10, "all are counted")
        lines = [line for line in self.lines() if line["event"] == "requests_refused"]
        self.assertLess(len(lines), 100)


class Traces(LogTest):
    def test_a_trace_goes_to_the_log_and_the_audit_trail(self):
        for headers, trace in (({"traceparent": TRACEPARENT}, TRACE), ({"traceparent": TRACEPARENT.upper()}, None),
                               ({"traceparent": "00-" + "0" * 32 + "-00f067aa0ba902b7-01"}, None), ({}, None)):
            job_id = self.daemon.execute(job("bash", "true"), headers=headers).json["job_id"]
            line = self.await_line("job_ended", job_id=job_id)
            self.assertEqual(line.get("trace_id"), trace, headers)
            self.assertEqual(line.get("span_id"), span_of(job_id) if trace else None)
            run = wait_until(lambda job_id=job_id: self.daemon.request("GET", f"/api/v1/runs/{job_id}").json, 10, "a row")
            self.assertEqual(run["trace_id"], trace, headers)

    def test_through_other_doors(self):
        headers = {"traceparent": TRACEPARENT}
        piston = {"language": "bash", "version": "*", "files": [{"content": "exit 11"}]}
        self.assertEqual(self.daemon.request("POST", "/api/v2/execute", piston, headers=headers).status, 200)
        self.assertEqual(self.await_line("job_ended", exit_code=11)["trace_id"], TRACE)
        bash = next(each["id"] for each in self.daemon.request("GET", "/languages").json if "Bash" in each["name"])
        judge0 = {"language_id": bash, "source_code": "exit 12"}
        self.assertEqual(self.daemon.request("POST", "/submissions?wait=true", judge0, headers=headers).status, 201)
        self.assertEqual(self.await_line("job_ended", exit_code=12)["trace_id"], TRACE)
        batch = {"jobs": [job("bash", "exit 13")]}
        self.assertEqual(self.daemon.request("POST", "/api/v1/batch", batch, headers=headers).status, 200)
        self.assertEqual(self.await_line("job_ended", exit_code=13)["trace_id"], TRACE)
        self.daemon.execute(job("bash", "exit 14"), headers={**headers, "Accept": "text/event-stream"})
        self.assertEqual(self.await_line("job_ended", exit_code=14)["trace_id"], TRACE)

    def test_a_queued_job_carries_it_to_its_callback(self):
        receiver = Receiver()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        with Daemon(settings(receiver.server_address[1]), args=["--log-format", "json"]) as daemon:
            token = make_token(daemon.state_dir, "acme")
            headers = {**bearer(token), "traceparent": TRACEPARENT}
            body = {**job("bash", "true"), "tenant_id": "acme", "callback_url": receiver.url}
            wait_until(lambda: daemon.request("GET", "/api/v1/languages").status == 401, 5, "the token is known")
            job_id = daemon.request("POST", "/api/v1/jobs", body, headers=headers).json["job_id"]
            wait_until(lambda: receiver.received, 20, "the callback")
            self.assertEqual(receiver.received[0][0]["traceparent"], f"00-{TRACE}-{span_of(job_id)}-01")
            for event in ("job_queued", "job_ended"):
                line = self.await_line(event, daemon, job_id=job_id)
                self.assertEqual((line["trace_id"], line["tenant_id"]), (TRACE, "acme"))
                self.assertEqual(line["token_id"], token["id"])
            self.assertNotIn(token["token"], daemon.stderr_text())
