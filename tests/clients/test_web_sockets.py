"""Our WebSockets through npm's `ws`, which Piston's clients are made with: Piston's conversation, and our own."""

from api.base import ApiTest, module_daemon
from clients.node import run_script
from support.websocket import WebSocket

setUpModule, tearDownModule = module_daemon()


def text_of(talk, stream="stdout"):
    return "".join(message["data"] for message in talk["heard"] if message.get("stream") == stream)


def close_of(talk):
    return talk["code"], talk["reason"]


class Ws(ApiTest):
    def test_hears_what_it_expects(self):
        got = run_script(self, "web_sockets.mjs", f"ws://127.0.0.1:{self.daemon.port}")
        self.check_piston(got["piston"])
        ours = got["ours"]
        self.assertEqual(ours["code"], 1000)
        self.assertEqual((ours["heard"][0]["type"], ours["heard"][-1]["type"]), ("started", "finished"))
        self.assertEqual(ours["heard"][-1]["result"]["status"], "completed")
        self.assertEqual("".join(message["data"] for message in ours["heard"][1:-1]), "name?\nhello ws\n")
        self.assert_idle()

    def check_piston(self, got):
        first, stage, *_, last = got["dialogue"]["heard"]
        self.assertEqual((first["type"], first["language"]), ("runtime", "python"))
        self.assertRegex(first["version"], r"\A3\.\d+\.\d+\Z")
        self.assertEqual(stage, {"type": "stage", "stage": "run"})
        self.assertEqual(last, {"type": "exit", "stage": "run", "code": 0, "signal": None})
        self.assertEqual(text_of(got["dialogue"]), "name?\nhello ws\n")
        self.assertEqual(close_of(got["dialogue"]), (4999, "Job Completed"))
        self.assertEqual((text_of(got["publicPath"]), text_of(got["publicPath"], "stderr")), ("out\n", "err\n"))
        self.assertEqual(got["publicPath"]["heard"][-1]["code"], 3)
        self.assertEqual(got["interrupted"]["heard"][-1], {"type": "exit", "stage": "run", "code": None, "signal": "SIGINT"})
        self.assertEqual(got["slow"]["heard"][-1]["signal"], "SIGKILL")
        for name, closed in (("twice", (4000, "Already Initialized")), ("silent", (4001, "Initialization Timeout")),
                             ("unknown", (4002, "Notified Error")), ("tooSoon", (4003, "Not yet initialized")),
                             ("wrongStream", (4004, "Can only write to stdin")), ("wrongSignal", (4005, "Invalid signal"))):
            self.assertEqual(close_of(got[name]), closed, got[name])
        self.assertEqual(got["unknown"]["heard"], [{"type": "error", "message": "cobol-* runtime is unknown"}])


class PistonConnect(ApiTest):
    def connect(self, *messages):
        connection = self.daemon.connect()
        self.addCleanup(connection.close)
        socket = WebSocket(connection, "/api/v2/connect")
        for message in messages:
            socket.send(message)
        return socket

    @staticmethod
    def init(language, content, **more):
        return {"type": "init", "language": language, "version": "*", "files": [{"content": content}], **more}

    def test_stdin_is_what_is_typed_or_what_came_with_the_request(self):
        """No line break is added for a program that is talked with."""
        code = "import os\nprint(repr(os.read(0, 100)))"
        socket = self.connect(self.init("python", code))
        socket.send({"type": "data", "stream": "stdin", "data": "typed"})
        self.assertIn({"type": "data", "stream": "stdout", "data": "b'typed'\n"}, socket.rest())
        self.assertIn({"type": "data", "stream": "stdout", "data": "b'given\\n'\n"},
                      self.connect(self.init("python", code, stdin="given")).rest())

    def test_what_piston_does_not_know_is_passed_over(self):
        socket = self.connect(self.init("bash", "read a; echo $a"), {"type": "hello"}, {})
        socket.send(b'{"type":"data","stream":"stdin","data":"as bytes\\n"}')
        self.assertIn({"type": "data", "stream": "stdout", "data": "as bytes\n"}, socket.rest())
        self.assertEqual(socket.close_code, 4999)

    def test_what_is_no_message_is_an_error(self):
        for text in ("{", "[]", '{"type":"init"}', '{"type":"init","language":"python","version":"3","files":[]}'):
            socket = self.connect(text)
            heard = socket.rest()
            self.assertEqual([set(message) for message in heard], [{"type", "message"}], text)
            self.assertEqual((heard[0]["type"], socket.close_code), ("error", 4002))

    def test_a_flood_is_closed_with_a_reason(self):
        socket = self.connect(self.init("bash", "sleep 60"))
        for _ in range(300):
            socket.send({"type": "hello"})
        heard = socket.rest()
        self.assertIn("a second", heard[-1]["message"])
        self.assertEqual(socket.close_code, 4002)
        self.assert_idle()

    def test_a_plain_get_is_told_what_to_do(self):
        for path in ("/api/v2/connect", "/api/v2/piston/connect"):
            answer = self.daemon.request("GET", path)
            self.assertEqual((answer.status, set(answer.json)), (426, {"message"}))
            self.assertEqual(answer.headers["upgrade"], "websocket")

    def test_outputs_are_told_in_their_order(self):
        """Of POST …/execute: `output` is both streams as they were written."""
        code = "\n".join(f"echo out{i}; sleep 0.02; echo err{i} >&2; sleep 0.02" for i in range(4))
        run = self.daemon.request("POST", "/api/v2/execute", {"language": "bash", "version": "*",
                                                              "files": [{"content": code}]}).json["run"]
        self.assertEqual(run["output"], "".join(f"out{i}\nerr{i}\n" for i in range(4)))
        self.assertEqual(run["stdout"], "".join(f"out{i}\n" for i in range(4)))
        self.assertEqual(run["stderr"], "".join(f"err{i}\n" for i in range(4)))
