"""GET /openapi.json against the daemon: a request of each documented shape, and each answer as it is described."""

import json
import unittest

from api.base import ApiTest, job, module_daemon
from support.daemon import Daemon
from support.description import Description, NotAsDescribed, streamed
from support.process import wait_until

setUpModule, tearDownModule = module_daemon()

_TOKEN = "0123456789abcdef0123456789abcdef"
# What is sent for a parameter in a query: its value in rows that are there.
_QUERY = {"tenant_id": "acme", "language": "bash", "status": "completed", "since": "2025-01-31T09:30:00Z",
          "until": "2099-01-31T09:30:00Z", "limit": "1"}


class SchemaTest(ApiTest):
    @classmethod
    def setUpClass(cls):
        cls.described = Description(cls.daemon.request("GET", "/openapi.json").json)

    def ask(self, method, path, operation, body=None, daemon=None, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = (daemon or self.daemon).request(method, path, body, named)
        self.described.check_answer(operation, answer)
        return answer

    def operation(self, wanted):
        return next(each for each in self.described.operations() if each[2]["operationId"] == wanted)

    def operations_with_a_body(self):
        for method, path, operation in self.described.operations():
            schema = self.described.body_schema(operation)
            if schema:
                yield method, path, operation, schema, self.described.resolve(schema)["examples"]


class TheChecker(unittest.TestCase):
    """Each of these would pass a lenient one."""
    def test_sees_what_is_wrong(self):
        part = {"type": "object", "required": ["a"], "properties": {"a": {"type": ["integer", "null"]},
                                                                    "t": {"type": "string", "format": "date-time"}}}
        described = Description({"components": {"schemas": {"Part": part}}})
        schema = {"$ref": "#/components/schemas/Part"}
        described.check(schema, {"a": None, "t": "2025-01-31T09:30:00.123Z"})
        for wrong in ({}, {"a": "1"}, {"a": 1.5}, {"a": True}, {"a": 1, "b": 2}, {"a": 1, "t": "yesterday"}, [], None):
            self.assertRaises(NotAsDescribed, described.check, schema, wrong)


class Requests(SchemaTest):
    def test_every_example_is_taken_and_answered_as_described(self):
        for method, path, operation, schema, examples in self.operations_with_a_body():
            self.assertGreaterEqual(len(examples), 1, path)
            for example in examples:
                with self.subTest(method=method, path=path, body=example):
                    self.described.check(schema, example)
                    answer = self.ask(method, path, operation, example)
                    self.assertLess(answer.status, 300, answer)

    def test_the_examples_together_have_every_member(self):
        """So that each member that is described has been sent."""
        for _, path, _, schema, examples in self.operations_with_a_body():
            if "JobRequest" in schema["$ref"]:
                continue  # an ExecuteRequest with a member more, which its example has
            members = set().union(*examples)
            self.assertEqual(members, set(self.described.resolve(schema)["properties"]), path)
        full = self.described.document["components"]["schemas"]["ExecuteRequest"]["examples"][-1]
        for name, members in (("InputFile", set().union(*full["files"])), ("RequestLimits", set(full["limits"]))):
            self.assertEqual(members, set(self.described.document["components"]["schemas"][name]["properties"]))

    def test_what_may_be_null_or_absent_may_be(self):
        for method, path, operation, schema, examples in self.operations_with_a_body():
            properties = self.described.resolve(schema)["properties"]
            required = self.described.resolve(schema)["required"]
            least = {name: examples[0][name] for name in required}
            self.assertLess(self.ask(method, path, operation, least).status, 300)
            nulls = {**least, **{name: None for name in properties if name not in required}}
            self.described.check(schema, nulls)
            self.assertLess(self.ask(method, path, operation, nulls).status, 300)
            for name in required:
                without = {each: value for each, value in least.items() if each != name}
                self.assertRaises(NotAsDescribed, self.described.check, schema, without)
                self.assertEqual(self.ask(method, path, operation, without).status, 400)

    def test_a_stream_is_described(self):
        method, path, operation = self.operation("execute")
        with self.daemon.connect() as connection:
            connection.send_request(method, path, job("bash", "echo out"), {"Accept": "text/event-stream"})
            answer, events = streamed(connection)
        self.described.check_answer(operation, answer)
        self.assertEqual([name for name, _ in events], ["started", "stdout", "finished"])
        self.described.check({"$ref": "#/components/schemas/Outcome"}, {**events[-1][1], "stdout": "", "stderr": ""})

    def test_every_end_of_a_job_is_described(self):
        method, path, operation = self.operation("execute")
        for code, more in (("exit 3", {}), ("kill -SEGV $$", {}), ("sleep 9", {"limits": {"wall_time_ms": 100}}),
                           ("ln -s x link; echo y > y", {"collect": ["*", "none"]})):
            self.assertEqual(self.ask(method, path, operation, job("bash", code, **more)).status, 200)
        self.assertEqual(self.ask(method, path, operation, job("python", "import socket; socket.socket()")).status, 200)


class Questions(SchemaTest):
    def test_every_get_answers_as_described(self):
        job_id = self.daemon.request("POST", "/api/v1/jobs", job("bash", "echo queued")).json["job_id"]
        wait_until(lambda: self.daemon.request("GET", f"/api/v1/jobs/{job_id}").json["state"] == "finished", 20, "it ends")
        for method, path, operation in self.described.operations():
            if method == "GET":
                with self.subTest(path):
                    wanted = 426 if "101" in operation["responses"] else 200  # no WebSocket was asked for
                    self.assertEqual(self.ask(method, path.format(job_id=job_id), operation).status, wanted)
                    if "{job_id}" in path:
                        self.assertEqual(self.ask(method, path.format(job_id="nobody"), operation).status, 404)

    def test_every_parameter_is_taken(self):
        self.run_code("bash", "true", tenant_id="acme")
        self.run_code("bash", "true", tenant_id="acme")
        method, path, operation = self.operation("listRuns")
        names = {each["name"] for each in self.described.parameters(operation, "query")}
        page = self.ask(method, f"{path}?limit=1", operation).json
        values = {**_QUERY, "before": page["next_before"]}
        self.assertEqual(names, set(values))
        for name, value in values.items():
            answer = self.ask(method, f"{path}?{name}={value}", operation)
            self.assertEqual((answer.status, bool(answer.json["runs"])), (200, True), name)
            if name != "language":  # any name may be asked for
                self.assertEqual(self.ask(method, f"{path}?{name}=%00", operation).status, 400)
        self.assertEqual(self.ask(method, f"{path}?other=1", operation).status, 400)

    def test_cancelling_is_described(self):
        method, path, operation = self.operation("cancelRun")
        with self.daemon.connect() as connection:
            connection.send_request("POST", "/api/v1/jobs", job("bash", "sleep 4"))
            job_id = connection.read_response().json["job_id"]
        self.assertEqual(self.ask(method, path.format(job_id=job_id), operation).status, 202)
        jobs = self.operation("readJob")
        wait_until(lambda: self.ask("GET", f"/api/v1/jobs/{job_id}", jobs[2]).json["state"] == "finished", 20, "it ends")
        self.assertEqual(self.ask(method, path.format(job_id=job_id), operation).status, 409)
        self.assertEqual(self.ask(method, path.format(job_id="nobody"), operation).status, 404)


class Refusals(SchemaTest):
    def test_of_every_route(self):
        for method, path, operation in self.described.operations():
            path = path.format(job_id="nobody")
            with self.subTest(method=method, path=path):
                body = {} if method in ("POST", "PUT") else None
                self.assertEqual(self.ask(method, path, operation, body, Host="evil.example").status, 403)
                self.assertEqual(self.ask(method, path, operation, body, X=("x" * 17000)).status, 431)
                self.assertEqual(self.ask(method, path, operation, body, Host=None).status, 400)

    def test_of_every_body(self):
        for method, path, operation, _, examples in self.operations_with_a_body():
            with self.subTest(path):
                self.assertEqual(self.ask(method, path, operation, {"more": 1}).status, 400)
                self.assertEqual(self.ask(method, path, operation, b"{").status, 400)
                self.assertEqual(self.ask(method, path, operation, examples[0], Content_Type="text/plain").status, 415)
                self.assertEqual(self.ask(method, path, operation, examples[0], Expect="wonders").status, 417)
                self.assertEqual(self.ask(method, path, operation, b"x" * (17 << 20)).status, 413)

    def test_a_key_of_another_body(self):
        for path in ("/api/v1/execute", "/api/v1/jobs"):
            operation = self.described.document["paths"][path]["post"]
            for code, status in (("true", {200, 202}), ("false", {409})):
                answer = self.ask("POST", path, operation, job("bash", code), Idempotency_Key=f"schema{path[-3:]}")
                self.assertIn(answer.status, status)

    def test_without_a_token(self):
        with Daemon(config=f'[server]\ntokens = ["{_TOKEN}"]\n') as daemon:
            for method, path, operation in self.described.operations():
                body = {} if method in ("POST", "PUT") else None
                answer = self.ask(method, path.format(job_id="nobody"), operation, body, daemon)
                is_open = operation.get("security") == []
                self.assertEqual(answer.status == 401, not is_open, (method, path, answer))

    def test_not_now(self):
        self.addCleanup(self.daemon.request, "PUT", "/api/v1/dispatch", {"paused": False})
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True})
        method, path, operation = self.operation("execute")
        self.assertEqual(self.ask(method, path, operation, job("bash", "true")).status, 503)
        method, path, operation = self.operation("executeBatch")
        refused = self.ask(method, path, operation, {"jobs": [job("bash", "true")]})
        self.assertEqual((refused.status, json.dumps(refused.json).count("dispatch_paused")), (200, 1))
