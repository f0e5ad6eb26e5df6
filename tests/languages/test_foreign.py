"""Compiling, as the other doors show it: Piston's stages, Judge0's verdicts, the stream of events."""

import json

from api.base import ApiTest, job
from languages.base import languages_daemon
from languages.programs import HELLO, WRONG
from support.websocket import WebSocket

setUpModule, tearDownModule = languages_daemon()


class Piston(ApiTest):
    def ask(self, language, code):
        version = next(one["version"] for one in self.daemon.request("GET", "/api/v2/piston/runtimes").json
                       if one["language"] == language)
        response = self.daemon.request("POST", "/api/v2/piston/execute",
                                       {"language": language, "version": version, "files": [{"content": code}]})
        self.assertEqual(response.status, 200, response)
        return response.json

    def test_a_stage_for_each_program(self):
        for language in ("c", "go", "java"):
            with self.subTest(language):
                got = self.ask(language, HELLO[language])
                self.assertEqual((got["compile"]["code"], got["compile"]["status"]), (0, None), got)
                self.assertEqual((got["run"]["code"], got["run"]["stdout"]), (0, "hello\n"), got)
        self.assertNotIn("compile", self.ask("ruby", HELLO["ruby"]))

    def test_where_compiling_fails_there_is_no_run(self):
        code, word = WRONG["c"]
        got = self.ask("c", code)
        self.assertNotIn("run", got)
        self.assertEqual((got["compile"]["code"], got["compile"]["status"]), (1, "RE"), got)
        self.assertIn(word, got["compile"]["stderr"])
        self.assertIn(word, got["compile"]["output"])

    def test_a_conversation_has_its_stages(self):
        """Compiled now, compiled before, and not to be compiled: each is told, its stages in their order."""
        def talk(content, typed=""):
            with self.daemon.connect() as connection:
                socket = WebSocket(connection, "/api/v2/connect")
                socket.send({"type": "init", "language": "c", "version": "*", "files": [{"content": content}]})
                socket.send({"type": "data", "stream": "stdin", "data": typed})
                return [message for message in socket.rest() if message["type"] != "runtime"]

        code = "#include <stdio.h>\nint main(void) { char s[9]; scanf(\"%8s\", s); printf(\"<%s>\", s); return 4; }"
        for _ in range(2):
            self.assertEqual(talk(code, "in\n"), [
                {"type": "stage", "stage": "compile"},
                {"type": "exit", "stage": "compile", "code": 0, "signal": None},
                {"type": "stage", "stage": "run"},
                {"type": "data", "stream": "stdout", "data": "<in>"},
                {"type": "exit", "stage": "run", "code": 4, "signal": None}])
        wrong, word = WRONG["c"]
        heard = talk(wrong)
        self.assertEqual(heard[0], {"type": "stage", "stage": "compile"})
        self.assertIn(word, "".join(message["data"] for message in heard[1:-1]))
        self.assertEqual(heard[-1], {"type": "exit", "stage": "compile", "code": 1, "signal": None})


class Judge0(ApiTest):
    def ask(self, language_id, code, **more):
        response = self.daemon.request("POST", "/submissions?wait=true",
                                       {"language_id": language_id, "source_code": code, **more})
        self.assertEqual(response.status, 201, response)
        return response.json

    def test_accepted_and_wrong(self):
        self.assertEqual(self.ask(50, HELLO["c"], expected_output="hello")["status"]["id"], 3)
        self.assertEqual(self.ask(62, HELLO["java"], expected_output="goodbye")["status"]["id"], 4)

    def test_a_compilation_error(self):
        code, word = WRONG["cpp"]
        got = self.ask(54, code)
        self.assertEqual(got["status"], {"id": 6, "description": "Compilation Error"})
        self.assertIn(word, got["compile_output"])
        for name in ("stdout", "stderr", "message", "time", "memory"):
            self.assertIsNone(got[name], name)

    def test_the_compiler_is_shown(self):
        got = self.daemon.request("GET", "/languages/50").json
        self.assertTrue(got["compile_cmd"].startswith("/usr/bin/gcc "), got)


class Streamed(ApiTest):
    def events(self, language, code):
        response = self.daemon.execute(job(language, code), headers={"Accept": "text/event-stream"})
        self.assertEqual(response.status, 200, response)
        events = []
        for block in response.raw.decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":") and ": " in line)
            if "event" in fields:
                events.append((fields["event"], json.loads(fields["data"])))
        return events

    def test_the_program_is_followed_and_the_compiler_told_at_the_end(self):
        events = self.events("c", "// streamed\n" + HELLO["c"])
        self.assertEqual([name for name, _ in events], ["started", "stdout", "finished"])
        self.assertEqual(events[1][1]["data"], "hello\n")
        self.assertEqual(events[2][1]["compile"]["status"], "completed")
        self.assertEqual(events[0][1]["job_id"], events[2][1]["job_id"])

    def test_a_failure_to_compile(self):
        code, word = WRONG["rust"]
        events = self.events("rust", code)
        self.assertEqual([name for name, _ in events], ["started", "finished"])
        self.assertEqual(events[1][1]["cause"]["code"], "compile")
        self.assertIn(word, events[1][1]["compile"]["stderr"])
        self.assertEqual(events[0][1]["job_id"], events[1][1]["job_id"])
