"""Requests that nobody means, by the thousand: refused in the right form, and never a fault of the daemon's own.

Each case has a number, of which all of it follows: a failure says it. OUTRIGGER_FUZZ=20 tries twenty times as many.
"""

import os
import random
import signal
import urllib.parse

from api.base import ApiTest, job, module_daemon, side_by_side
from support.description import Description, NotAsDescribed
from support.http import encode_request
from support.mutate import body_of, junk, mutated
from support.process import cgroup_names

setUpModule, tearDownModule = module_daemon()

_TIMES = int(os.environ.get("OUTRIGGER_FUZZ", "1"))

_SUBMISSION = {"source_code": "true", "language_id": 46, "stdin": "in", "expected_output": "", "cpu_time_limit": 1.5,
               "memory_limit": 65536, "command_line_arguments": "a 'b c'", "additional_files": "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==",
               "redirect_stderr_to_stdout": False, "number_of_runs": 1, "max_processes_and_or_threads": 8}
_STAGE = {"language": "bash", "version": "*", "files": [{"name": "a", "content": "true"}, {"name": "b", "content": "eA==",
          "encoding": "base64"}], "stdin": "in", "args": ["a"], "run_timeout": 900, "run_memory_limit": -1, "compile_timeout": 10}
_CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run_code", "arguments": {
         "language": "bash", "code": "true", "stdin": "in", "args": ["a"], "files": [{"path": "a", "content": "x"}],
         "timeout_ms": 900}}}
_MESSAGES = [_CALL, {"jsonrpc": "2.0", "id": "x", "method": "initialize", "params": {"protocolVersion": "2025-06-18",
             "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}},
             {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, {"jsonrpc": "2.0", "method": "notifications/initialized"},
             {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "get_run", "arguments": {"job_id": "x"}}}]
_HEADERS = {
    "Content-Type": ["", "text/plain", "application/json; charset=latin1", "application/json;", "a/b/c", "application/JSON"],
    "Accept": ["", "text/event-stream", "text/event-stream;q=0", "*/*;q=x", "text/*,,;", "text/event-stream, application/json"],
    "Idempotency-Key": ["", "a b", "k" * 256, "\xff", "fuzz-1", "fuzz-2", '"quoted"'],
    "Host": ["", "localhost:99999", "[::1", "127.0.0.1:x", "localhost.", "evil.example", "127.0.0.1@evil"],
    "Origin": ["null", "", "http://", "http://localhost:1", "http://evil.example"],
    "Authorization": ["", "Bearer", "Bearer x", "Basic eDp5", "bearer  " + "t" * 300],
    "Transfer-Encoding": ["identity", "gzip, chunked", "chunked, chunked", "chunkedx", ""],
    "Content-Encoding": ["gzip", "", "identity", "br"],
    "Expect": ["100-continue", "", "200-ok"],
    "Connection": ["close", "upgrade", "", "keep-alive, close"],
    "Upgrade": ["websocket", "h2c"],
    "X-Auth-Token": ["", "x"],
    "MCP-Protocol-Version": ["2025-06-18", "", "1900-01-01"],
    "tokens": ["a,b", ",,,", "\xff"],
    "Range": ["bytes=0-0"],
    "traceparent": ["00-0-0-0", "00-" + "a" * 32 + "-" + "b" * 16 + "-01"],
}


class FuzzTest(ApiTest):
    @classmethod
    def setUpClass(cls):
        cls.described = Description(cls.daemon.request("GET", "/openapi.json").json)

    def run_cases(self, count, case, check):
        """`case(random)` makes the bytes of a request; `check(answer)` judges what comes, whoever it is for."""
        pid, ids = self.daemon.pid, set()
        if _TIMES > 1:
            signal.alarm(0)  # it may take its time

        def one(number):
            with self.daemon.connect() as connection:
                data = case(random.Random(number))
                connection.send(data)
                try:
                    answer = connection.read_response("HEAD" if data.startswith(b"HEAD ") else "GET")
                    while answer.status == 100:
                        answer = connection.read_response()
                    self.judge(answer, check)
                    ids.update(_ids_in(answer.json))
                except (AssertionError, OSError) as error:
                    raise AssertionError(f"case {number}: {data[:3000]!r}\n{error}") from error

        side_by_side(one, range(count * _TIMES))
        self.assertEqual((self.daemon.pid, self.daemon.process.poll()), (pid, None))
        self.assertEqual(self.daemon.health()["status"], "ok")
        self.assert_idle()
        self.assertEqual(ids & cgroup_names(), set())

    def judge(self, answer, check):
        self.assertTrue(answer.status < 500 or answer.status == 503, answer)
        check(answer)

    def our_form(self, operation):
        """What is refused has our form, and everything is as the description says."""
        def check(answer):
            if answer.status >= 300:
                self.assert_error(answer, answer.status)
            try:
                self.described.check_answer(operation, answer)
            except NotAsDescribed as error:
                raise AssertionError(str(error)) from error

        return check

    def case_of(self, method, target, valid):
        """A request with a body that is one of `valid`, mutated."""
        def case(source):
            return encode_request(method, target, body_of(mutated(source.choice(valid), source), source))

        return case


class OurBodies(FuzzTest):
    def check_route(self, path, method, count, valid=None):
        operation = self.described.document["paths"][path][method.lower()]
        examples = valid or self.described.resolve(self.described.body_schema(operation))["examples"]
        self.run_cases(count, self.case_of(method, path, examples), self.our_form(operation))

    def test_execute(self):
        whole = self.described.document["components"]["schemas"]["ExecuteRequest"]["examples"][-1]
        self.check_route("/api/v1/execute", "POST", 700, [{**whole, "code": "true"}])

    def test_jobs(self):
        self.check_route("/api/v1/jobs", "POST", 150, [job("bash", "true", files=[], limits={"pids": 3}),
                                                    job("bash", "true", callback_url="http://127.0.0.1:1/")])

    def test_batch(self):
        self.check_route("/api/v1/batch", "POST", 200, [{"jobs": [job("bash", "true"), job("bash", "true", args=["x"])]}])

    def test_dispatch(self):
        self.addCleanup(self.daemon.request, "PUT", "/api/v1/dispatch", {"paused": False})
        self.check_route("/api/v1/dispatch", "PUT", 200, [{"paused": False, "reason": "why"}])


class OurHeads(FuzzTest):
    def test_queries_and_paths(self):
        questions = [(path, operation) for method, path, operation in self.described.operations() if method == "GET"]

        def case(source):
            path, operation = source.choice(questions)
            names = [each["name"] for each in self.described.parameters(operation, "query")] + ["other", ""]
            pairs = [source.choice(names) + source.choice("==&;") + _quoted(source) for _ in range(source.randrange(4))]
            method = source.choice(("GET", "GET", "HEAD"))
            return encode_request(method, path.format(job_id=_quoted(source) or "x") + "?" + "&".join(pairs))

        self.run_cases(500, case, self.any_of_ours)

    def any_of_ours(self, answer):
        if answer.status >= 300 and answer.raw:
            self.assert_error(answer, answer.status)

    def test_headers(self):
        def case(source):
            headers = {}
            for name in source.sample(sorted(_HEADERS), source.choice((1, 1, 2, 3))):
                headers[name] = source.choice(_HEADERS[name])
            method, path, body = source.choice((("POST", "/api/v1/execute", job("bash", "true")), ("GET", "/health", None),
                                                ("GET", "/api/v1/runs", None), ("PUT", "/api/v1/dispatch", {"paused": False}),
                                                ("POST", "/api/v1/jobs", job("bash", "true"))))
            return encode_request(method, path, body, headers)

        self.run_cases(400, case, self.any_of_ours)

    def test_request_lines(self):
        methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "HEAD", "get", "G\0T", "X" * 300]
        paths = ["/", "//", "*", "/api/v1/execute/", "/api/v1/../v1/execute", "/%2e%2e/", "/api/v1/runs/", "/api/v1/jobs/a/b",
                 "http://localhost/health", "http://evil.example/health", "/health#x", "/" + "x" * 9000, "/\xff", "/api/v2/nothing"]

        def case(source):
            return encode_request(source.choice(methods), source.choice(paths), headers={"Connection": "close"})

        def check(answer):
            self.assertTrue(answer.status in (200, 503) or 400 <= answer.status < 500, answer)
            self.assertNotIn(b"<html", answer.raw.lower())

        self.run_cases(200, case, check)


class TheirBodies(FuzzTest):
    def test_piston(self):
        def check(answer):
            self.assertEqual(set(answer.json) - {"run", "language", "version"}, set() if answer.status == 200 else {"message"})

        self.run_cases(300, self.case_of("POST", "/api/v2/execute", [_STAGE]), check)
        self.run_cases(50, self.case_of("POST", "/api/v2/packages", [{"language": "bash", "version": "1"}]), check)

    def test_judge0(self):
        def check(answer):
            if answer.status == 201:
                self.assertTrue({"token", "error"} & set(answer.json), answer)
            else:
                self.assertIn(answer.status, (400, 413, 415, 422, 503), answer)
                self.assertIsInstance(answer.json, dict, answer)

        def batch(answer):
            self.assertIn(answer.status, (201, 400, 413, 415, 422, 503), answer)
            self.assertIsInstance(answer.json, (list, dict) if answer.status == 422 else list if answer.status == 201 else dict)

        self.run_cases(200, self.case_of("POST", "/submissions?wait=true", [_SUBMISSION]), check)
        self.run_cases(50, self.case_of("POST", "/submissions?base64_encoded=true", [_SUBMISSION]), check)
        self.run_cases(50, self.case_of("POST", "/submissions/batch", [{"submissions": [_SUBMISSION] * 2}]), batch)

    def test_judge0_queries(self):
        def case(source):
            path = source.choice(("/submissions/batch", "/submissions/" + (_quoted(source) or "x"), "/languages/" + _quoted(source)))
            name = source.choice(("tokens", "fields", "base64_encoded", "wait", "page"))
            return encode_request("GET", f"{path}?{name}={_quoted(source)}")

        self.run_cases(150, case, lambda answer: self.assertNotIn(b"<html", answer.raw.lower()))

    def test_mcp(self):
        def check(answer):
            if answer.status == 202:
                return self.assertEqual(answer.raw, b"")
            for message in answer.json if isinstance(answer.json, list) else [answer.json]:
                self.assertEqual((message["jsonrpc"], len({"result", "error"} & set(message))), ("2.0", 1), answer)

        self.run_cases(400, self.case_of("POST", "/mcp", _MESSAGES), check)


class TheFuzzer(ApiTest):
    def test_makes_the_same_of_the_same_number(self):
        """And things that are different, most of which are refused, but not all."""
        def one(number):
            source = random.Random(number)
            return body_of(mutated(job("bash", "true", limits={"pids": 3}), source), source)

        self.assertEqual([one(number) for number in range(200)], [one(number) for number in range(200)])
        self.assertGreater(len({one(number) for number in range(200)}), 150)


def _quoted(source):
    """A piece of a query or a path, mostly percent-encoded as it should be."""
    value = junk(source)
    text = value if isinstance(value, str) else getattr(value, "text", None) or str(value)
    quoted = urllib.parse.quote(text[:800].encode("utf-8", "surrogatepass"), safe="")
    return quoted if source.random() < 0.8 else source.choice(("%", "%zz", "%ff", "%00", "a%2", "%c3%28", "+", quoted[:-1]))


def _ids_in(value):
    """The job ids in an answer."""
    if isinstance(value, dict):
        return {value["job_id"]} if isinstance(value.get("job_id"), str) else set().union(*map(_ids_in, value.values()), set())
    return set().union(*map(_ids_in, value), set()) if isinstance(value, list) else set()
