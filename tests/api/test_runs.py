"""What was run can be asked for: one row a job, newest first, in pages."""

import hashlib
import json

from api.base import ApiTest, job, module_daemon, side_by_side

setUpModule, tearDownModule = module_daemon()

FIELDS = {
    "job_id", "tenant_id", "language", "status", "exit_code", "signal", "cause", "wall_time_ms", "queue_time_ms",
    "cpu_time_ms", "throttled_time_ms", "nr_periods", "nr_throttled", "peak_memory_bytes", "cgroup_oom_triggered",
    "oom_kills", "memory_max_events", "pids_peak", "pids_limit_hits", "stdout_bytes", "stderr_bytes",
    "stdout_truncated", "stderr_truncated", "security_events", "limits", "code_sha256", "code_bytes", "command", "node",
    "cgroup_driver", "origin", "attempt", "received_at", "started_at", "ended_at", "trace_id"
}


class Runs(ApiTest):
    def runs(self, query=""):
        response = self.daemon.request("GET", f"/api/v1/runs{query}")
        self.assertEqual(response.status, 200, response)
        self.assertEqual(set(response.json), {"runs", "next_before"})
        return response.json

    def test_a_job_has_its_row_when_it_has_its_answer(self):
        code = "import sys; print('x' * 7); sys.exit(3)"
        for _ in range(10):
            result = self.run_code("python", code)
            response = self.daemon.request("GET", f"/api/v1/runs/{result['job_id']}")
            self.assertEqual(response.status, 200, response)
            row = response.json
            self.assertEqual(set(row), FIELDS)
            for name in ("job_id", "tenant_id", "language", "status", "exit_code", "signal", "cause", "wall_time_ms",
                         "queue_time_ms", "cpu_time_ms", "peak_memory_bytes", "oom_kills", "stdout_bytes",
                         "security_events", "limits"):
                self.assertEqual(row[name], result[name], name)
            self.assertEqual((row["origin"], row["attempt"], row["code_bytes"]), ("direct", 1, len(code)))
            self.assertEqual(row["code_sha256"], hashlib.sha256(code.encode()).hexdigest())
            self.assertLessEqual(row["received_at"], row["started_at"])
            self.assertLessEqual(row["started_at"], row["ended_at"])
            self.assertNotIn("xxxxxxx", response.raw.decode(), "no output is kept")

    def test_every_ending_has_a_row(self):
        cases = {
            "completed": ("bash", "true", {}),
            "failed": ("bash", "exit 9", {}),
            "timeout": ("bash", "sleep 9", {"limits": {"wall_time_ms": 200}}),
            "memory_exceeded": ("python", "x = bytearray(200 * 2**20)", {}),
            "security_violation": ("python", "import socket; socket.socket()", {}),
            "signaled": ("bash", "kill -TERM $$", {}),
        }
        for status, (language, code, fields) in cases.items():
            result = self.run_code(language, code, **fields)
            row = self.daemon.request("GET", f"/api/v1/runs/{result['job_id']}").json
            self.assertEqual((row["status"], row["cause"]), (status, result["cause"]))
            self.assertEqual(row["security_events"], result["security_events"])

    def test_pages_hold_each_run_once(self):
        tenant = "pages"
        ids = side_by_side(lambda _: self.run_code("bash", "true", tenant_id=tenant)["job_id"], range(25))
        seen, before = [], ""
        while True:
            page = self.runs(f"?tenant_id={tenant}&limit=4{before}")
            seen += [run["job_id"] for run in page["runs"]]
            if page["next_before"] is None:
                break
            before = f"&before={page['next_before']}"
        self.assertEqual(len(seen), 25)
        self.assertEqual(set(seen), set(ids))
        times = [self.daemon.request("GET", f"/api/v1/runs/{job_id}").json["started_at"] for job_id in seen]
        self.assertEqual(times, sorted(times, reverse=True))

    def test_filters(self):
        self.run_code("bash", "exit 1", tenant_id="filters")
        self.run_code("python", "pass", tenant_id="filters")
        for query, count in (("", 2), ("&status=failed", 1), ("&language=python", 1), ("&status=timeout", 0),
                             ("&since=2200-01-01T00:00:00Z", 0), ("&until=2200-01-01T00:00:00Z", 2),
                             ("&status=failed&language=python", 0)):
            self.assertEqual(len(self.runs("?tenant_id=filters" + query)["runs"]), count, query)

    def test_what_is_refused(self):
        for query, field in (("limit=0", "limit"), ("limit=1001", "limit"), ("status=done", "status"),
                             ("tenant=a", "tenant"), ("before=x", "before"), ("since=today", "since"),
                             ("limit=1&limit=1", "limit"), ("tenant_id=%00", "tenant_id")):
            self.assert_error(self.daemon.request("GET", f"/api/v1/runs?{query}"), 400, "invalid_request", field)
        for job_id in ("nobody", "A", "..", "a" * 65, "%2e%2e"):
            self.assert_error(self.daemon.request("GET", f"/api/v1/runs/{job_id}"), 404, "not_found")
        self.assert_error(self.daemon.request("POST", "/api/v1/runs", {}), 405)

    def test_a_refused_request_leaves_no_row(self):
        self.assert_refused(job("bash", "", tenant_id="refused"), field="code")
        self.assertEqual(self.runs("?tenant_id=refused")["runs"], [])

    def test_zeroes_and_odd_bytes_lose_no_row(self):
        """R25: what no database may hold is replaced by one rule, and the row stays."""
        for code in ("printf 'a\\0b'", "printf '\\377\\376'", "echo $'\\u0000'"):
            result = self.run_code("bash", code, tenant_id="odd")
            self.assertEqual(self.daemon.request("GET", f"/api/v1/runs/{result['job_id']}").status, 200)
        with_nul = json.loads('{"tenant_id": "odd", "language": "bash", "code": "echo \\u0000x"}')
        result = self.execute(with_nul)
        self.assertEqual(self.daemon.request("GET", f"/api/v1/runs/{result['job_id']}").status, 200)
        self.assert_refused({**with_nul, "tenant_id": "a\0b"}, field="tenant_id")

    def test_health_says_where_rows_go(self):
        audit = self.daemon.health()["audit"]
        self.assertEqual((audit["sink"], audit["available"], audit["lost"]), ("sqlite", True, 0))
