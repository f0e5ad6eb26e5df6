"""Piston's API, through both of npm's clients of it, and where those can't go by hand."""

from api.base import ApiTest, module_daemon
from clients.node import run_script
from support.daemon import Daemon


setUpModule, tearDownModule = module_daemon()


class PistonClients(ApiTest):
    def test_both_clients_get_what_they_expect(self):
        got = run_script(self, "piston_clients.mjs", f"http://127.0.0.1:{self.daemon.port}")
        self.check_piston_client(got["pistonClient"])
        self.check_api_client(got["apiClient"])

    def check_piston_client(self, got):
        self.assertIn("javascript", [runtime["language"] for runtime in got["runtimes"]])
        run = got["plain"]["run"]
        self.assertEqual((run["stdout"], run["stderr"], run["code"], run["signal"]),
                         ("['1', '2', '3']\n", "err\n", 0, None))
        self.assertEqual(sorted(run["output"]), sorted(run["stdout"] + run["stderr"]))
        self.assertEqual(got["plain"]["language"], "python")
        self.assertRegex(got["plain"]["version"], r"\A3\.\d+\.\d+\Z")
        self.assertNotIn("compile", got["plain"])
        self.assertEqual(got["files"]["run"]["stdout"], "42 one\n")
        self.assertEqual(got["stdin"]["run"]["stdout"], "<typed>\n")
        failed = got["failed"]["run"]
        self.assertEqual((failed["code"], failed["status"], failed["message"]), (3, "RE", "Exited with error status 3"))
        slow = got["slow"]["run"]
        self.assertEqual((slow["code"], slow["signal"], slow["status"]), (None, "SIGKILL", "TO"))
        self.assertGreaterEqual(slow["wall_time"], 300)
        self.assertEqual(got["unknown"], {"message": "cobol-1 runtime is unknown"})
        self.assertEqual(got["refused"], {"message": "run_timeout cannot exceed the configured limit of 5000"})

    def check_api_client(self, got):
        self.assertTrue(all(answer["success"] for answer in got.values()), got)
        self.assertEqual(got["hello"]["data"]["run"]["stdout"], "[ 'Hello', 'World' ]\n")
        self.assertEqual(got["hello"]["data"]["language"], "javascript")
        self.assertEqual(got["binary"]["data"]["run"]["stdout"], "b'\\xff\\x00A'\n")
        killed = got["killed"]["data"]["run"]
        self.assertEqual((killed["code"], killed["signal"], killed["status"]), (None, "SIGTERM", "SG"))


class Piston(ApiTest):
    def ask(self, method, path, body=None, headers=None):
        return self.daemon.request(method, path, body, headers)

    def test_stands_under_both_of_its_paths(self):
        for prefix in ("/api/v2", "/api/v2/piston"):
            runtimes = self.ask("GET", prefix + "/runtimes")
            self.assertEqual(runtimes.status, 200)
            self.assertEqual(set(runtimes.json[0]), {"language", "version", "aliases"})
            answer = self.ask("POST", prefix + "/execute",
                              {"language": "sh", "version": "*", "files": [{"content": "echo hi"}]})
            self.assertEqual((answer.status, answer.json["run"]["stdout"]), (200, "hi\n"))
            self.assertEqual(set(answer.json["run"]), {"stdout", "stderr", "output", "code", "signal", "memory", "message",
                                                       "status", "cpu_time", "wall_time"})

    def test_refuses_in_pistons_form(self):
        for method, path, body, headers, status in (
            ("POST", "/api/v2/execute", {}, None, 400),
            ("POST", "/api/v2/execute", b"{", {"Content-Type": "application/json"}, 400),
            ("POST", "/api/v2/execute", b"a=b", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
            ("POST", "/api/v2/execute", b"x" * (17 << 20), {"Content-Type": "application/json"}, 413),
            ("GET", "/api/v2/execute", None, None, 405),
            ("GET", "/api/v2/other", None, None, 404),
            ("POST", "/api/v2/packages", {"language": "python", "version": "3"}, None, 403),
            ("DELETE", "/api/v2/packages", {"language": "cobol", "version": "1"}, None, 404),
        ):
            answer = self.ask(method, path, body, headers)
            self.assertEqual(answer.status, status, (method, path, answer))
            self.assertEqual(set(answer.json), {"message"}, answer)
        self.assertEqual(self.ask("POST", "/api/v2/packages", {"language": "cobol", "version": "1"}).json,
                         {"message": "Requested package cobol-1 does not exist"})

    def test_lists_packages_with_what_is_installed(self):
        packages = {package["language"]: package for package in self.ask("GET", "/api/v2/packages").json}
        self.assertTrue(packages["python"]["installed"])
        self.assertEqual(set(packages["python"]), {"language", "language_version", "installed"})

    def test_too_much_output_is_told(self):
        answer = self.ask("POST", "/api/v2/execute",
                          {"language": "python", "version": "3", "files": [{"content": "print('x' * 1000000)"}]})
        run = answer.json["run"]
        self.assertEqual((run["status"], run["message"], len(run["stdout"])), ("OL", "stdout length exceeded", 524288))

    def test_memory_is_limited_in_bytes(self):
        answer = self.ask("POST", "/api/v2/execute", {
            "language": "python", "version": "3", "run_memory_limit": 33554432,
            "files": [{"content": "x = bytearray(100_000_000)"}]})
        run = answer.json["run"]
        self.assertEqual((run["status"], run["signal"], run["code"]), ("SG", "SIGKILL", None))
        self.assertLessEqual(run["memory"], 33554432)


class PistonWithTokens(ApiTest):
    def test_401_has_its_form_too(self):
        with Daemon('[server]\ntokens = ["0123456789abcdef0123456789abcdef"]\n') as daemon:
            refused = daemon.request("GET", "/api/v2/runtimes")
            self.assertEqual((refused.status, set(refused.json)), (401, {"message"}))
            headers = {"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}
            self.assertEqual(daemon.request("GET", "/api/v2/runtimes", headers=headers).status, 200)
