"""A program and somebody who talks with it: the WebSocket at /api/v1/interactive."""

import base64
import signal

from api.base import ApiTest, job, module_daemon, side_by_side
from api.results import assert_well_formed
from support.daemon import Daemon
from support.live import Live
from support.process import wait_until
from support.websocket import BINARY, CLOSE, TEXT, WebSocket, handshake

PATH = "/api/v1/interactive"
ECHO = "while True:\n    try: print('<' + input() + '>', flush=True)\n    except EOFError: break\nprint('end')"
TOKEN = "0123456789abcdef0123456789abcdef"

setUpModule, tearDownModule = module_daemon()


class InteractiveTest(ApiTest):
    def live(self, language, code, pty=None, **fields):
        return Live(self, {"request": job(language, code, **fields), **({"pty": pty} if pty else {})})

    def row_of(self, live):
        """What the audit trail has of it, once it has."""
        path = f"/api/v1/runs/{live.job_id}"

        def ended():
            answer = self.daemon.request("GET", path)
            return answer.json if answer.status == 200 and answer.json["status"] != "running" else None

        return wait_until(ended, 15, "its row")


class Dialogue(InteractiveTest):
    def test_lines_come_back_as_they_are_typed(self):
        live = self.live("python", ECHO, stdin="given\n")
        live.until("<given>\n")
        for line in ("one", "zwei é", "三"):
            live.type(line + "\n")
            live.until(f"<{line}>\n")
        live.say("stdin_end")
        result = live.end()
        self.assertEqual(live.out, {"stdout": "<given>\n<one>\n<zwei é>\n<三>\nend\n", "stderr": ""})
        self.assertEqual(result["job_id"], live.job_id)
        self.assertEqual({"stdout", "stderr"} & set(result), set())
        assert_well_formed(self, {**result, **live.out})
        self.assertEqual((result["status"], result["stdout_bytes"]), ("completed", len(live.out["stdout"].encode())))
        self.assertEqual(self.row_of(live)["status"], "completed")
        self.assert_idle()

    def test_in_every_language(self):
        for language, code in (("bash", "read a; echo \"<$a>\"; read b || echo end"),
                               ("node", "process.stdin.on('data', d => console.log('<' + d.toString().trim() + '>'))"
                                        ".on('end', () => console.log('end'))")):
            with self.subTest(language):
                live = self.live(language, code)
                live.type("a\n")
                live.until("<a>")
                live.say("stdin_end")
                self.assert_ended(live.end(), "completed", 0)
                self.assertEqual(live.out["stdout"], "<a>\nend\n")

    def test_stdin_and_output_are_any_bytes(self):
        code = "import sys\ndata = sys.stdin.buffer.read()\nsys.stdout.buffer.write(data[::-1])"
        live = self.live("python", code, output_encoding="base64")
        live.say("stdin", data=base64.b64encode(b"\xff\x00").decode(), encoding="base64")
        live.socket.send(b"\x01\xfe")
        live.say("stdin_end")
        live.end()
        self.assertEqual(base64.b64decode(live.out["stdout"]), b"\xfe\x01\x00\xff")

    def test_no_character_is_split(self):
        live = self.live("python", "import os, time\n"
                                   "for byte in 'é€😀'.encode() * 3:\n"
                                   "    os.write(1, bytes([byte])); time.sleep(0.005)\n")
        live.end()
        self.assertEqual(live.out["stdout"], "é€😀" * 3)

    def test_both_streams_are_told_apart(self):
        live = self.live("bash", "read a; echo out; echo err >&2; exit 3")
        live.type("\n")
        self.assert_ended(live.end(), "failed", 3)
        self.assertEqual(live.out, {"stdout": "out\n", "stderr": "err\n"})

    def test_conversations_side_by_side_do_not_mix(self):
        def talk(name):
            live = self.live("python", ECHO)
            for turn in range(10):
                live.type(f"{name}{turn}\n")
                live.until(f"<{name}{turn}>\n")
            live.say("stdin_end")
            live.end()
            return live.out["stdout"]

        names = ("a", "b", "c", "d")
        for name, said in zip(names, side_by_side(talk, names)):
            self.assertEqual(said, "".join(f"<{name}{turn}>\n" for turn in range(10)) + "end\n")

    def test_files_come_back(self):
        live = self.live("bash", "read a; echo $a > out.txt", collect=["out.txt"])
        live.type("kept\n")
        self.assertEqual(live.end()["files"][0]["content"], "kept\n")

    def test_a_program_that_closes_stdin_is_fed_no_more(self):
        live = self.live("bash", "exec <&-; echo closed; sleep 0.2; echo done")
        live.until("closed")
        for _ in range(20):
            live.type("x" * 10_000 + "\n")
        self.assert_ended(live.end(), "completed", 0)

    def test_messages_may_come_in_pieces(self):
        live = Live(self)
        text = b'{"type":"start","request":{"tenant_id":"test","language":"bash","code":"read a; echo $a"}}'
        live.socket.send_frame(TEXT, text[:20], final=False)
        live.socket.send_frame(0, text[20:], final=True)
        live.type("x\n")
        live.end()
        self.assertEqual(live.out["stdout"], "x\n")


class Signals(InteractiveTest):
    def test_an_interrupt_is_pythons_exception(self):
        for more in ({}, {"limits": {"pids": 20}}, {"collect": ["*.txt"]}):  # forked, started for it, and harvested
            with self.subTest(more):
                live = self.live("python", "import time\ntry:\n    print('ready', flush=True)\n"
                                           "    while True: time.sleep(0.01)\n"
                                           "except KeyboardInterrupt: print('interrupted')", **more)
                live.until("ready")
                live.say("signal", signal="SIGINT")
                self.assert_ended(live.end(), "completed", 0)
                self.assertEqual(live.out["stdout"], "ready\ninterrupted\n")

    def test_each_that_may_be_sent_comes_to_the_program(self):
        names = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGTERM", "SIGWINCH", "SIGTSTP", "SIGCONT")
        live = self.live("python", f"import os, signal\nnames = {names}\n"
                         "wanted = {getattr(signal, name) for name in names}\n"
                         "signal.pthread_sigmask(signal.SIG_BLOCK, wanted)\n"
                         "os.write(1, b'ready')\n"
                         "for _ in names: os.write(1, (signal.sigwait(wanted).name + '\\n').encode())\n")
        live.until("ready")
        for name in names:
            live.say("signal", signal=name)
            live.until(name + "\n")
        self.assert_ended(live.end(), "completed", 0)

    def test_one_that_is_not_caught_ends_the_program(self):
        for language, code in (("bash", "echo ready; read a"), ("node", "console.log('ready'); setTimeout(() => {}, 60000)")):
            for name, number in (("SIGTERM", 15), ("SIGKILL", 9)):
                live = self.live(language, code)
                live.until("ready")
                live.say("signal", signal=name)
                result = live.end()
                self.assert_ended(result, "signaled", 128 + number, name)
                self.assertEqual(result["cause"]["code"], "signal")

    def test_a_program_that_was_stopped_goes_on(self):
        live = self.live("bash", "echo ready; read a; echo $a")
        live.until("ready")
        live.say("signal", signal="SIGSTOP")
        live.type("later\n")
        live.say("signal", signal="SIGCONT")
        self.assert_ended(live.end(), "completed", 0)
        self.assertIn("later", live.out["stdout"])

    def test_one_that_is_stopped_ends_by_its_wall_clock(self):
        live = self.live("bash", "echo ready; read a", limits={"wall_time_ms": 500})
        live.until("ready")
        live.say("signal", signal="SIGSTOP")
        self.assert_ended(live.end(), "timeout", 137, "SIGKILL")

    def test_only_the_program_gets_it(self):
        """Not pid 1, and no child of the program's."""
        live = self.live("python", "import os, signal, time\n"
                                   "own = os.getpid()\n"
                                   "tell = lambda *_: os.write(1, b'parent' if os.getpid() == own else b'child')\n"
                                   "signal.signal(signal.SIGTERM, tell)\n"
                                   "if os.fork() == 0: os.write(1, b'ready'); os.read(0, 1)\n"
                                   "while os.getpid() == own and os.waitpid(-1, os.WNOHANG)[0] == 0: time.sleep(0.01)")
        live.until("ready")
        live.say("signal", signal="SIGTERM")
        live.until("parent")
        live.type("\n")
        self.assert_ended(live.end(), "completed", 0)
        self.assertEqual(live.out["stdout"], "readyparent")


class Limits(InteractiveTest):
    def test_waiting_counts_as_wall_clock(self):
        live = self.live("python", "print('ready', flush=True)\ninput()", limits={"wall_time_ms": 400})
        result = live.end()
        self.assert_ended(result, "timeout", 137, "SIGKILL")
        self.assertEqual(self.row_of(live)["status"], "timeout")

    def test_output_is_cut_as_ever(self):
        live = self.live("bash", "head -c 2000000 /dev/zero | tr '\\0' x")
        result = live.end()
        self.assertEqual((len(live.out["stdout"]), result["stdout_bytes"]), (524288, 2_000_000))
        self.assertTrue(result["stdout_truncated"])

    def test_what_the_program_does_not_read_may_not_pile_up(self):
        live = self.live("bash", "echo ready; sleep 60")
        live.until("ready")
        for _ in range(40):
            live.type("x" * 100_000)  # the daemon reads on, until it has been understood
        error = live.refused()
        self.assertEqual((error["code"], error["field"]), ("payload_too_large", "data"))
        self.assertIn("send more slowly", error["message"])
        self.assertEqual(self.row_of(live)["status"], "cancelled")

    def test_all_stdin_together_has_its_limit(self):
        code = "import sys\nwhile data := sys.stdin.buffer.read(500_000): print('read', flush=True)"
        live = self.live("python", code, stdin="x" * 1_000_000)
        for count in range(3, 9):
            live.socket.send(b"y" * 500_000)
            while live.out["stdout"].count("read") < count:
                self.assertIsNotNone(live.hear())
        live.socket.send(b"y" * 500_000)
        self.assertIn("4194304 bytes in all", live.refused()["message"])

    def test_a_flood_of_other_messages_is_refused(self):
        for message in ({"type": "signal", "signal": "SIGWINCH"}, {"type": "stdin", "data": ""}):
            live = self.live("bash", "echo ready; read a")
            live.until("ready")
            for _ in range(400):
                live.socket.send(message)
            self.assertIn("a second", live.refused()["message"])

    def test_a_message_that_is_too_long_ends_it(self):
        live = self.live("bash", "echo ready; read a")
        live.until("ready")
        try:
            live.socket.send_frame(BINARY, b"x" * (3 << 20))
        except ConnectionError:
            pass
        while live.hear() is not None:
            pass
        self.assertEqual(live.socket.close_code, 1009)
        self.assertEqual(self.row_of(live)["status"], "cancelled")

    def test_the_first_may_be_as_long_as_a_request(self):
        live = self.live("bash", "wc -c < data", files=[{"path": "data", "content": "x" * 5_000_000}])
        live.end()
        self.assertEqual(live.out["stdout"], "5000000\n")
        code = "echo " + "x" * (17 << 20)
        live = Live(self)
        try:
            live.say("start", request=job("bash", code))
        except ConnectionError:
            pass
        while live.hear() is not None:
            pass
        self.assertEqual(live.socket.close_code, 1009)


class Ends(InteractiveTest):
    def test_a_client_that_leaves_ends_its_program(self):
        for leave in (lambda live: live.connection.close(), lambda live: live.connection.reset(),
                      lambda live: live.connection.half_close(), lambda live: live.socket.close()):
            live = self.live("bash", "echo ready; sleep 60")
            live.until("ready")
            card = self.daemon.state_dir / "jobs" / f"{live.job_id}.json"
            wait_until(card.exists, 10, "it runs")
            leave(live)
            wait_until(lambda: not card.exists(), 10, "it has ended")
            row = self.row_of(live)
            self.assertEqual((row["status"], row["cause"]["text"]), ("cancelled", "the caller's connection closed"))
        self.assert_idle()

    def test_a_run_can_be_cancelled(self):
        live = self.live("bash", "echo ready; sleep 60")
        live.until("ready")
        self.assertEqual(self.daemon.request("DELETE", f"/api/v1/runs/{live.job_id}").status, 202)
        self.assert_ended(live.end(), "cancelled", 137, "SIGKILL")

    def test_what_breaks_the_rules_ends_it_too(self):
        for message, field in (({"type": "hello"}, "type"), ({"type": "stdin", "data": "", "more": 1}, "more"),
                               ({"type": "start", "request": {}}, "type"), ({"type": "resize", "rows": 1, "columns": 1}, "type"),
                               ({"type": "signal", "signal": "SIGSEGV"}, "signal"), ("{", None), ("[1]", None)):
            with self.subTest(message):
                live = self.live("bash", "echo ready; sleep 60")
                live.until("ready")
                live.socket.send(message)
                self.assertEqual(live.refused()["field"], field)
                self.assertEqual(self.row_of(live)["status"], "cancelled")
        self.assert_idle()

    def test_text_that_is_none_breaks_the_protocol(self):
        live = self.live("bash", "echo ready; sleep 60")
        live.until("ready")
        live.socket.send_frame(TEXT, b"\xff")
        while live.hear() is not None:
            pass
        self.assertEqual(live.socket.close_code, 1007)
        self.assertEqual(self.row_of(live)["status"], "cancelled")

    def test_an_end_of_the_daemon_ends_it_well(self):
        with Daemon("[server]\nshutdown_grace_ms = 200\n") as daemon:
            live = Live(self, {"request": job("bash", "echo ready; sleep 60")}, daemon)
            live.until("ready")
            daemon.process.send_signal(signal.SIGTERM)
            self.assert_ended(live.end(), "cancelled", 137, "SIGKILL")
            live.connection.close()
            daemon.wait_for_exit(0)


class Beginnings(InteractiveTest):
    def test_the_first_message_is_a_start(self):
        for message in ({"type": "stdin", "data": "x"}, {"type": "signal", "signal": "SIGINT"}, b"bytes"):
            live = Live(self)
            live.socket.send(message)
            self.assertIn("must be a start", live.refused()["message"])

    def test_a_request_is_refused_as_anywhere(self):
        for request, field in ((job("cobol", "x"), "language"), (job("bash", "x", limits={"pids": 0}), "limits.pids"),
                               (job("bash", "x", more=1), "more"), ({}, "tenant_id")):
            live = Live(self, {"request": request})
            error = live.refused()
            self.assertEqual((error["code"], error["field"]), ("invalid_request", field))

    def test_what_can_not_be_now_is_to_be_tried_again(self):
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True, "reason": "for the test"})
        self.addCleanup(self.daemon.request, "PUT", "/api/v1/dispatch", {"paused": False})
        self.assertEqual(self.live("bash", "true").refused(1013)["code"], "dispatch_paused")

    def test_the_route_is_a_websocket_and_says_so(self):
        for method in ("GET", "HEAD"):
            answer = self.daemon.request(method, PATH)
            self.assertEqual((answer.status, answer.headers["upgrade"]), (426, "websocket"))
            self.assertIn("Upgrade", answer.headers["connection"])
        self.assert_error(self.daemon.request("GET", PATH), 426, "upgrade_required")
        self.assertEqual(self.daemon.request("POST", PATH, {}).status, 405)
        for headers, status in (({"Sec-WebSocket-Version": "8"}, 426), ({"Sec-WebSocket-Key": "short"}, 400),
                                ({"Sec-WebSocket-Key": None}, 400), ({"Upgrade": "h2c"}, 426)):
            request, _ = handshake(PATH, headers)
            with self.daemon.connect() as connection:
                connection.send(request)
                answer = connection.read_response()
                self.assert_error(answer, status)
                self.assertEqual(answer.headers.get("sec-websocket-version"), "13" if status == 426 else None)

    def test_nothing_may_be_sent_before_the_answer(self):
        request, _ = handshake(PATH)
        with self.daemon.connect() as connection:
            connection.send(request + b"\x81\x80\0\0\0\0")
            self.assert_error(connection.read_response(), 400, "invalid_request")

    def test_a_page_of_another_origin_is_refused(self):
        """R: no page in this machine's browser drives a daemon without tokens."""
        for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"},
                        {"Origin": "http://127.0.0.1.evil.example"}):
            request, _ = handshake(PATH, headers)
            with self.daemon.connect() as connection:
                connection.send(request)
                self.assert_error(connection.read_response(), 403, "forbidden_host")
        Live(self, {"request": job("bash", "true")}, headers={"Origin": f"http://localhost:{self.daemon.port}"}).end()

    def test_a_token_is_needed_where_there_are_tokens(self):
        with Daemon(f'[server]\ntokens = ["{TOKEN}"]\n') as daemon:
            for path in (PATH, "/api/v2/connect"):
                request, _ = handshake(path)
                with daemon.connect() as connection:
                    connection.send(request)
                    self.assertEqual(connection.read_response().status, 401)
            Live(self, {"request": job("bash", "true")}, daemon, {"Authorization": "Bearer " + TOKEN}).end()

    def test_pings_are_answered(self):
        with self.daemon.connect() as connection:
            socket = WebSocket(connection, PATH)
            socket.send_frame(9, b"are you there")
            self.assertEqual(socket._read_frame(), (10, b"are you there"))
            socket.send_frame(CLOSE, b"")
            self.assertEqual(socket._read_frame()[0], CLOSE)
            self.assertTrue(connection.is_closed_by_peer())
