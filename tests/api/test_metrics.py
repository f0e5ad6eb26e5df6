"""GET /metrics: text that Prometheus reads, counts that are those of the answers, and nothing of any caller in it."""

import collections
import pathlib
import random
import re
import secrets
import threading

from api.base import LANGUAGES, ApiTest, job, module_daemon, side_by_side
from api.results import EVENT_TYPES
from support.exposition import Exposition, ExpositionError
from support.process import open_descriptors, wait_until
from support.promtool import promtool

# Few enough slots to fill, and a wait short enough to sit out.
setUpModule, tearDownModule = module_daemon(config="[pool]\nslots = 2\nacquire_timeout_ms = 1000\n")

_STATUSES = {
    "completed", "failed", "timeout", "cpu_exceeded", "memory_exceeded", "security_violation", "signaled", "cancelled",
    "internal_error"
}
_API_PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "api.md"

# Programs that end in different ways.
_PROGRAMS = [
    ("python", "print(1)", {}),
    ("python", "import sys; sys.exit(3)", {}),
    ("python", "import socket; socket.socket()", {}),
    ("python", "x = bytearray(1 << 30)\nfor i in range(0, len(x), 4096): x[i] = 1", {}),
    ("python", "while True: pass", {"limits": {"wall_time_ms": 300}}),
    ("python", "while True: pass", {"limits": {"cpu_time_ms": 100, "cpu_cores": 0.5}}),
    ("bash", "exit 0", {}),
    ("bash", "kill -SEGV $$", {}),
    ("bash", "echo 12345; echo 12345 >&2", {"limits": {"output_bytes": 2}}),
    ("node", "process.exit(4)", {}),
    ("node", "console.log(1)", {}),
]

# int 0x80 with a number the guest chooses: the gate of the other architecture.
_FOREIGN_CALL = """
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\\xb8" + ({number}).to_bytes(4, "little") + b"\\xcd\\x80\\xc3")
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
"""


class MetricsTest(ApiTest):
    def scrape(self):
        response = self.daemon.request("GET", "/metrics")
        self.assertEqual(response.status, 200, response)
        return Exposition(response.raw)

    def wait_until_ready(self):
        wait_until(lambda: all(one["ready"] >= one["target"] for one in self.daemon.health()["pool"]["primed"]), 60,
                   "as many jails stand ready as are wanted")

    def assert_rise(self, before, after, name, by, **labels):
        self.assertAlmostEqual(after.value(name, **labels) - before.value(name, **labels), by, 6, (name, labels))


class Form(MetricsTest):
    def test_the_reader_is_strict(self):
        """Each of these would pass a lenient reader."""
        head = "# HELP a_total x\n# TYPE a_total counter\n"
        Exposition((head + 'a_total{b="c\\"d",e="f"} 1\n').encode())
        histogram = "# HELP h x\n# TYPE h histogram\nh_sum 1\n"
        Exposition((histogram + 'h_count 2\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\n').encode())
        for bad in ("a_total 1\n", "# TYPE a_total counter\na_total 1\n", "# HELP a_total x\na_total 1\n",
                    head + "b 1\n", head + head, head + "a_total 1\na_total 1\n", head + 'a_total{b="c",b="d"} 1\n',
                    head + 'a_total{b="c" } 1\n', head + 'a_total{b="c",} 1\n', head + 'a_total{b="\\x"} 1\n',
                    head + "a_total -1\n", head + "a_total NaN\n", head + "a_total 1 2\n", head + "a_total  1\n",
                    head + "a_total 1", head + "\n", head + 'a_total{b="c",e="f"} 1\na_total{e="f",b="c"} 2\n',
                    histogram + 'h_count 2\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\n',
                    histogram + 'h_count 3\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\n',
                    histogram + 'h_count 1\nh_bucket{le="1"} 1\n', histogram + "h_count 1\n"):
            with self.subTest(bad), self.assertRaises(ExpositionError):
                Exposition(bad.encode())

    def test_is_the_text_format(self):
        response = self.daemon.request("GET", "/metrics")
        self.assertEqual(response.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        self.assertGreater(len(Exposition(response.raw).samples), 100)

    def test_is_as_prometheus_wants_it(self):
        """With something in each family."""
        self.run_all(_PROGRAMS, at_once=2)
        self.assertEqual(promtool("check", "metrics", text=self.daemon.request("GET", "/metrics").raw.decode()), "")

    def test_names_and_types_are_those_of_the_page(self):
        """docs/api.md lists exactly what there is: names, types, labels."""
        self.daemon.execute(job("python", "import socket; socket.socket()"))
        page = _API_PAGE.read_text(encoding="utf-8").partition("\n## Metrics\n")[2]
        listed = {}
        for names, kind, labels in re.findall(r"^\| (`[^|]+`) \| (counter|gauge|histogram) \| ([^|]*)\|", page, re.M):
            for name in re.findall(r"`([^`]+)`", names):
                listed[name] = (kind, set(re.findall(r"`([^`]+)`", labels)))
        metrics = self.scrape()
        self.assertEqual({name: (kind, metrics.labels_of(name))
                          for name, (kind, _) in metrics.families.items()}, listed)
        for name in re.findall(r"\b(?:outrigger|process)_[a-z_]+", page):
            self.assertIn(re.sub(r"_bucket\Z", "", name), listed)

    def available(self):
        languages = self.daemon.request("GET", "/api/v1/languages").json["languages"]
        return {language["name"] for language in languages if language["available"]}

    def test_labels_are_of_closed_lists(self):
        for _ in range(2):
            self.daemon.request("GET", f"/{secrets.token_hex(8)}")
        metrics = self.scrape()
        jobs = [dict(labels) for labels in metrics.series("outrigger_jobs_total")]
        self.assertEqual({(one["language"], one["status"]) for one in jobs},
                         {(language, status) for language in self.available() for status in _STATUSES})
        events = [dict(labels) for labels in metrics.series("outrigger_security_events_total")]
        self.assertEqual({one["type"] for one in events}, EVENT_TYPES)
        routes = {dict(labels)["route"] for labels in metrics.series("outrigger_http_requests_total")}
        known = set(self.daemon.request("GET", "/openapi.json").json["paths"])
        self.assertLessEqual(routes, known | {"none"})

    def test_says_nothing_of_callers(self):
        mark = secrets.token_hex(8)
        result = self.run_code("bash", f"echo {mark}; exit 9", tenant_id=f"tenant-{mark}")
        self.daemon.request("GET", f"/{mark}?{mark}")
        self.daemon.execute(job(f"language-{mark}", "x"))
        text = self.daemon.request("GET", "/metrics").raw.decode()
        for word in (mark, result["job_id"], str(self.daemon.state_dir)):
            self.assertNotIn(word, text)


class Counts(MetricsTest):
    def test_are_those_of_the_answers(self):
        before = self.scrape()
        results = self.run_all(_PROGRAMS, at_once=2)
        after = self.scrape()
        self.assertEqual({result["status"] for result in results}, _STATUSES - {"cancelled", "internal_error"})
        ended = collections.Counter((result["language"], result["status"]) for result in results)
        for language in LANGUAGES:
            for status in _STATUSES:
                self.assert_rise(before, after, "outrigger_jobs_total", ended[language, status], language=language,
                                 status=status)
        self.assert_times(before, after, results)
        self.assert_events(before, after, results)
        for key, value in before.counts().items():
            self.assertGreaterEqual(after.samples[key], value, key)

    def assert_times(self, before, after, results):
        for language in LANGUAGES:
            for status in _STATUSES:
                times = [result["wall_time_ms"] / 1000 for result in results
                         if (result["language"], result["status"]) == (language, status)]
                name, labels = "outrigger_job_duration_seconds", {"language": language, "status": status}
                self.assert_rise(before, after, f"{name}_count", len(times), **labels)
                self.assert_rise(before, after, f"{name}_sum", sum(times), **labels)
                self.assert_rise(before, after, f"{name}_bucket", sum(time <= 0.2 for time in times), **labels, le="0.2")
        queued = [result["queue_time_ms"] / 1000 for result in results]
        self.assert_rise(before, after, "outrigger_job_queue_seconds_count", len(queued))
        self.assert_rise(before, after, "outrigger_job_queue_seconds_sum", sum(queued))
        self.assert_rise(before, after, "outrigger_job_overhead_seconds_count", len(results))
        name = "outrigger_job_overhead_seconds_sum"
        self.assertGreater(after.value(name), before.value(name))

    def assert_events(self, before, after, results):
        events = [event for result in results for event in result["security_events"]]
        types = collections.Counter(event["type"] for event in events)
        self.assertGreater(min(types[kind] for kind in ("seccomp_violation", "oom_kill", "output_truncated")), 0)
        for kind in EVENT_TYPES:
            self.assert_rise(before, after, "outrigger_security_events_total", types[kind], type=kind)
        calls = collections.Counter()
        for event in events:
            if event["type"] == "seccomp_violation":
                calls[event["syscall"]] += event["count"]
        self.assertEqual(set(calls), {"socket"})
        self.assert_rise(before, after, "outrigger_seccomp_violations_total", calls["socket"], syscall="socket")
        kills = sum(result["oom_kills"] or 0 for result in results)
        self.assert_rise(before, after, "outrigger_oom_kills_total", kills)

    def test_a_client_that_leaves_is_counted_too(self):
        before = self.scrape()
        with self.daemon.connect() as connection:
            connection.send_request("POST", "/api/v1/execute", job("bash", "sleep 3"))
            wait_until(lambda: self.scrape().value("outrigger_slots_in_use") == 1, 10, "the job runs")
        self.assert_idle()
        after = self.scrape()
        self.assert_rise(before, after, "outrigger_jobs_total", 1, language="bash", status="cancelled")
        self.assert_rise(before, after, "outrigger_http_requests_total", 0, method="POST", route="/api/v1/execute",
                         code="200")

    def test_numbers_a_guest_makes_up_are_one_series(self):
        before = self.scrape()
        for number in random.sample(range(5000, 2**31), 3):
            result = self.run_code("python", _FOREIGN_CALL.format(number=number))
            self.assertEqual([event["syscall"] for event in result["security_events"] if "syscall" in event],
                             [f"i386:{number}"])
        after = self.scrape()
        name = "outrigger_seccomp_violations_total"
        self.assert_rise(before, after, name, 3, syscall="other")
        new = set(after.series(name)) - set(before.series(name))
        self.assertLessEqual(new, {frozenset({("syscall", "other")})})

    def test_answers_by_route_and_status(self):
        before = self.scrape()
        for method, path in (("GET", "/health"), ("GET", "/health?x=1"), ("HEAD", "/health"), ("POST", "/health"),
                             ("GET", "/nowhere"), ("GET", "/api/v1/execute")):
            self.daemon.request(method, path, {} if method == "POST" else None)
        self.daemon.execute(job("bash", ""))
        after = self.scrape()
        name = "outrigger_http_requests_total"
        for method, route, code, count in (("GET", "/health", 200, 2), ("HEAD", "/health", 200, 1),
                                           ("POST", "/health", 405, 1), ("GET", "none", 404, 1),
                                           ("GET", "/api/v1/execute", 405, 1), ("POST", "/api/v1/execute", 400, 1),
                                           ("GET", "/metrics", 200, 1)):
            self.assert_rise(before, after, name, count, method=method, route=route, code=str(code))

    def test_how_long_answers_took(self):
        before = self.scrape()
        self.daemon.execute(job("bash", "sleep 0.3"))
        self.daemon.request("GET", "/health")
        self.daemon.request("BREW", "/health")
        with self.daemon.connect() as connection:
            connection.send(b"nonsense\r\n\r\n")
            self.assertEqual(connection.read_response().status, 400)
        after = self.scrape()
        name = "outrigger_http_request_duration_seconds"
        self.assert_rise(before, after, f"{name}_count", 1, route="/api/v1/execute")
        self.assert_rise(before, after, f"{name}_bucket", 0, route="/api/v1/execute", le="0.25")
        self.assert_rise(before, after, f"{name}_bucket", 1, route="/api/v1/execute", le="10")
        self.assert_rise(before, after, f"{name}_count", 2, route="/health")
        self.assertNotIn(frozenset({("route", "none")}), set(after.series(f"{name}_count")) - set(before.series(f"{name}_count")))
        self.assert_rise(before, after, "outrigger_http_requests_total", 1, method="other", route="/health", code="405")
        self.assert_rise(before, after, "outrigger_http_requests_total", 1, method="none", route="none", code="400")


class Gauges(MetricsTest):
    def test_slots_and_waiting_and_refusals(self):
        before = self.scrape()
        self.assertEqual((before.value("outrigger_slots"), before.value("outrigger_slots_in_use")), (2, 0))
        answers = []

        def ask_three():
            answers.extend(side_by_side(lambda _: self.daemon.execute(job("bash", "sleep 2")), range(3), 3))

        thread = threading.Thread(target=ask_three)
        thread.start()
        try:
            wait_until(self.is_full, 10, "two run and one waits")
        finally:
            thread.join()
        self.assertEqual(sorted(answer.status for answer in answers), [200, 200, 503])
        self.assert_idle()
        after = self.scrape()
        self.assert_rise(before, after, "outrigger_pool_exhausted_total", 1)
        self.assertEqual((after.value("outrigger_slots_in_use"), after.value("outrigger_waiting_requests")), (0, 0))
        self.assert_rise(before, after, "outrigger_job_queue_seconds_count", 2)

    def is_full(self):
        metrics = self.scrape()
        return (metrics.value("outrigger_slots_in_use"), metrics.value("outrigger_waiting_requests")) == (2, 1)

    def test_dispatch(self):
        self.addCleanup(self.daemon.request, "PUT", "/api/v1/dispatch", {"paused": False})
        self.assertEqual(self.scrape().value("outrigger_dispatch_paused"), 0)
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True})
        self.assertEqual(self.scrape().value("outrigger_dispatch_paused"), 1)

    def test_connections(self):
        def are_open(count):
            wait_until(lambda: self.scrape().value("outrigger_http_connections") == count, 10, f"{count} are open")

        are_open(1)
        with self.daemon.connect(), self.daemon.connect():
            are_open(3)
        are_open(1)

    def test_what_it_is(self):
        metrics, health = self.scrape(), self.daemon.health()
        self.assertEqual(metrics.value("outrigger_build_info", version=health["version"]), 1)
        self.assertEqual(metrics.value("outrigger_cgroup_info", driver=health["cgroup"]["driver"]), 1)
        self.assertEqual(metrics.value("outrigger_jailer_up"), 1)

    def test_its_own_process(self):
        """As the kernel tells it to others."""
        self.wait_until_ready()
        proc = pathlib.Path("/proc") / str(self.daemon.pid)
        metrics = self.scrape()
        resident = int(re.search(r"VmRSS:\s+(\d+) kB", (proc / "status").read_text(encoding="ascii"))[1]) << 10
        self.assertAlmostEqual(metrics.value("process_resident_memory_bytes") / resident, 1, delta=0.2)
        # The scraper's connection may have gone when we look; others may still be going.
        wait_until(lambda: self.scrape().value("process_open_fds") - open_descriptors(self.daemon.pid) in (0, 1), 10,
                   "as many descriptors as are open")
        limit = int(re.search(r"Max open files\s+(\d+)", (proc / "limits").read_text(encoding="ascii"))[1])
        self.assertEqual(metrics.value("process_max_fds"), limit)
        times = (proc / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        self.assertAlmostEqual(metrics.value("process_cpu_seconds_total"), (int(times[11]) + int(times[12])) / 100,
                               delta=0.05)
        booted = int(re.search(r"btime (\d+)", pathlib.Path("/proc/stat").read_text(encoding="ascii"))[1])
        started = metrics.value("process_start_time_seconds")
        self.assertAlmostEqual(started, booted + int(times[19]) / 100, delta=2)
        self.assertEqual(self.scrape().value("process_start_time_seconds"), started)


class Primed(MetricsTest):
    def setUp(self):
        super().setUp()
        self.wait_until_ready()

    def test_a_job_that_finds_one_is_a_hit(self):
        before = self.scrape()
        self.assert_completed(self.run_code("python", "print(1)"), "1\n")
        after = self.scrape()
        for language in LANGUAGES:
            self.assert_rise(before, after, "outrigger_primed_hits_total", int(language == "python"), runtime=language)
            self.assert_rise(before, after, "outrigger_primed_misses_total", 0, runtime=language)

    def test_a_job_with_limits_of_its_own_is_neither(self):
        before = self.scrape()
        self.run_code("python", "print(1)", limits={"pids": 31})
        after = self.scrape()
        for name in ("outrigger_primed_hits_total", "outrigger_primed_misses_total"):
            self.assert_rise(before, after, name, 0, runtime="python")

    def test_agree_with_health(self):
        metrics = self.scrape()
        for one in self.daemon.health()["pool"]["primed"]:
            runtime = one["runtime"]
            for state in ("ready", "target"):
                self.assertEqual(metrics.value("outrigger_primed_jails", runtime=runtime, state=state), one[state])
            self.assertEqual(metrics.value("outrigger_primed_hits_total", runtime=runtime), one["hits"])
            self.assertEqual(metrics.value("outrigger_primed_misses_total", runtime=runtime), one["misses"])
            # A bare jail holds some pages, an interpreter megabytes.
            memory = metrics.value("outrigger_primed_memory_bytes", runtime=runtime) / one["ready"]
            self.assertGreater(memory, 4096)
            self.assertLess(memory, 128 << 20)
