"""The Model Context Protocol, through the official SDK's client, over both transports; and by hand where it can't go."""

import json
import subprocess

from api.base import ApiTest, module_daemon
from clients.node import run_script
from support.daemon import Daemon
from support.process import program, wait_until

TOKEN = "0123456789abcdef0123456789abcdef"


setUpModule, tearDownModule = module_daemon()


def text_of(result):
    return result["content"][0]["text"]


class Sdk(ApiTest):
    def url(self, daemon=None):
        return f"http://127.0.0.1:{(daemon or self.daemon).port}"

    def check(self, got, tenant):
        self.assertEqual(got["server"]["name"], "outrigger")
        self.assertEqual(got["capabilities"], {"tools": {}})
        self.assertEqual(got["tools"], ["run_code", "list_languages", "get_run"])
        names = [language["name"] for language in got["languages"]["structuredContent"]["languages"]]
        self.assertLessEqual({"python", "node", "bash"}, set(names))
        self.assertFalse(got["hello"]["isError"])
        self.assertEqual(text_of(got["hello"]), "The program ended well: exited with status 0.\n\nstdout:\nhi\n")
        self.assertEqual(got["files"]["structuredContent"]["stdout"], "in\narg\n")
        self.assertTrue(got["failed"]["isError"])
        self.assertIn("stderr:\nno\n", text_of(got["failed"]))
        self.assertEqual(got["slow"]["structuredContent"]["status"], "timeout")
        self.assertIn("it took too long", text_of(got["slow"]))
        self.assertEqual(got["greedy"]["structuredContent"]["status"], "memory_exceeded")
        self.assertTrue(got["unknownLanguage"]["isError"])
        self.assertIn("python", text_of(got["unknownLanguage"]))
        self.assertEqual(text_of(got["tooLong"]), "timeout_ms must be an integer from 1 to 5000")
        self.assertEqual(got["order"], ["ping", "long"])
        self.assertEqual(got["run"]["structuredContent"]["job_id"], got["slow"]["structuredContent"]["job_id"])
        self.assertEqual(got["run"]["structuredContent"]["tenant_id"], tenant)
        self.assertEqual((got["unknownTool"], got["unknownMethod"]), (-32602, -32601))

    def test_over_http(self):
        self.check(run_script(self, "mcp_client.mjs", "http", self.url() + "/mcp"), "default")

    def test_over_stdio(self):
        command = [program("outrigger"), "mcp", "--server", self.url(), "--tenant", "agents"]
        self.check(run_script(self, "mcp_client.mjs", "stdio", *command), "agents")

    def test_with_a_token_on_both(self):
        with Daemon(f'[server]\ntokens = ["{TOKEN}"]\n') as daemon:
            env = {"OUTRIGGER_TOKEN": TOKEN}
            self.check(run_script(self, "mcp_client.mjs", "http", self.url(daemon) + "/mcp", env=env), "default")
            command = [program("outrigger"), "mcp", "--server", self.url(daemon)]
            self.check(run_script(self, "mcp_client.mjs", "stdio", *command, env=env), "mcp")
            refused = daemon.request("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"})
            self.assertEqual((refused.status, refused.json["jsonrpc"]), (401, "2.0"))


class Http(ApiTest):
    PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

    def post(self, body, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.daemon.request("POST", "/mcp", body, {"Content-Type": "application/json", **named})

    def test_answers_a_request_and_takes_a_notification(self):
        answer = self.post(self.PING)
        self.assertEqual((answer.status, answer.json), (200, {"jsonrpc": "2.0", "id": 1, "result": {}}))
        self.assertEqual(answer.headers["content-type"], "application/json")
        taken = self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.assertEqual((taken.status, taken.raw), (202, b""))

    def test_offers_no_stream_and_keeps_no_session(self):
        for method in ("GET", "DELETE"):
            refused = self.daemon.request(method, "/mcp", headers={"Accept": "text/event-stream"})
            self.assertEqual((refused.status, refused.headers["allow"]), (405, "POST"))

    def test_knows_its_revisions(self):
        self.assertEqual(self.post(self.PING, MCP_Protocol_Version="2025-06-18").status, 200)
        for wrong in ("1900-01-01", "not-a-version"):
            refused = self.post(self.PING, MCP_Protocol_Version=wrong)
            self.assertEqual((refused.status, refused.json["error"]["code"]), (400, -32600))

    def test_what_is_no_message_is_400(self):
        for body, code in ((b"{", -32700), (b"[]", -32600), (b"5", -32600), (b'{"jsonrpc": "1.0"}', -32600)):
            refused = self.post(body)
            self.assertEqual((refused.status, refused.json["error"]["code"]), (400, code), body)
            self.assertIsNone(refused.json["id"])

    def test_batches_are_of_one_revision(self):
        batch = [self.PING, {"jsonrpc": "2.0", "method": "notifications/x"}, {**self.PING, "id": "b"}]
        answer = self.post(batch, MCP_Protocol_Version="2025-03-26")
        self.assertEqual([each["id"] for each in answer.json], [1, "b"])
        self.assertEqual(self.post(batch, MCP_Protocol_Version="2025-06-18").status, 400)

    def test_no_page_of_another_origin_gets_through(self):
        self.assertEqual(self.post(self.PING, Origin="http://evil.example").status, 403)
        self.assertEqual(self.post(self.PING, Origin="http://localhost:6274").status, 200)

    def test_a_client_that_leaves_ends_its_program(self):
        self.assert_idle()
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "run_code", "arguments": {"language": "bash", "code": "sleep 4"}}}
        connection = self.daemon.connect()
        connection.send_request("POST", "/mcp", json.dumps(call).encode(), {"Content-Type": "application/json"})
        self.wait_for_running(1)
        connection.close()
        self.wait_for_running(0)

    def wait_for_running(self, count):
        wait_until(lambda: self.daemon.health()["pool"]["running"] == count, 10, f"{count} jobs run")


class Stdio(ApiTest):
    def tell(self, lines, server=None):
        command = [program("outrigger"), "mcp", "--server", server or f"http://127.0.0.1:{self.daemon.port}"]
        done = subprocess.run(command, input=lines, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_says_nothing_but_the_protocol_and_ends_with_its_input(self):
        self.assertEqual(self.tell(b""), [])
        answers = self.tell(b'\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\nnonsense\n{"jsonrpc":"2.0","method":"x"}')
        self.assertEqual([answer.get("result", answer.get("error", {}).get("code")) for answer in answers], [{}, -32700])

    def test_a_daemon_that_is_not_there_is_told_as_a_tools_error(self):
        call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_languages"}}'
        (answer,) = self.tell(call, server="http://127.0.0.1:1")
        self.assertTrue(answer["result"]["isError"])
        self.assertIn("cannot reach http://127.0.0.1:1", text_of(answer["result"]))
