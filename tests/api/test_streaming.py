"""Output as it is written: server-sent events, in order, whole characters, closed by the result."""

import base64

from api.base import ApiTest, job, module_daemon, side_by_side
from api.results import assert_well_formed
from support.events import EventReader, text_of
from support.process import wait_until

setUpModule, tearDownModule = module_daemon()

# Bytes of every kind: ASCII, whole characters of two to four bytes, halves of some, and what is never UTF-8.
MIXED = "a\\n\\xc3\\xa9\\xe2\\x82\\xac\\xf0\\x9f\\x98\\x80\\xff\\xe2\\x82z\\xed\\xa0\\x80\\xc3"


class Streaming(ApiTest):
    def stream(self, body):
        connection = self.daemon.connect()
        self.addCleanup(connection.close)
        connection.send_request("POST", "/api/v1/execute", body, {"Accept": "text/event-stream"})
        reader = EventReader(connection)
        self.assertEqual(reader.status, 200)
        self.assertEqual(reader.headers["content-type"], "text/event-stream")
        return reader

    def run_streamed(self, language, code, **fields):
        """The events between started and finished, and the result."""
        events = self.stream(job(language, code, **fields)).rest()
        self.assertEqual([events[0][0], events[-1][0]], ["started", "finished"], events)
        result = events[-1][1]
        self.assertEqual(events[0][1], {"job_id": result["job_id"]})
        self.assertEqual({"stdout", "stderr"} & set(result), set())
        assert_well_formed(self, {**result, "stdout": text_of(events, "stdout"), "stderr": text_of(events, "stderr")})
        return events[1:-1], result

    def test_output_comes_while_the_program_runs(self):
        """What is written arrives before the program goes on, in each language; it goes on when its reader leaves."""
        programs = {
            "python": "import time\nprint('early', flush=True)\ntime.sleep(60)",
            "node": "console.log('early'); setTimeout(() => {}, 60000)",
            "bash": "echo early; sleep 60",
        }
        for language, code in programs.items():
            with self.subTest(language):
                reader = self.stream(job(language, code))
                name, started = reader.next()
                self.assertEqual(name, "started")
                self.assertEqual(reader.next(), ("stdout", {"data": "early\n"}))
                card = self.daemon.state_dir / "jobs" / f"{started['job_id']}.json"
                wait_until(card.exists, 10, "the job runs")
                reader.connection.close()
                wait_until(lambda: not card.exists(), 10, "its reader's leaving ends it")
        self.assert_idle()

    def test_both_streams_are_told_apart_and_in_order(self):
        code = "\n".join(f"echo out{i}; sleep 0.02; echo err{i} >&2; sleep 0.02" for i in range(5))
        events, result = self.run_streamed("bash", code)
        self.assert_ended(result, "completed", 0)
        self.assertEqual("".join(data["data"] for _, data in events), "".join(f"out{i}\nerr{i}\n" for i in range(5)))
        self.assertEqual(text_of(events, "stderr"), "".join(f"err{i}\n" for i in range(5)))

    def test_no_character_is_split_however_it_is_written(self):
        """R3: byte by byte with pauses, and at the limit, on both streams."""
        code = ("import os, time\n"
                "for byte in 'é€😀'.encode() * 3:\n"
                "    os.write({0}, bytes([byte])); time.sleep(0.005)\n")
        for fd, name in ((1, "stdout"), (2, "stderr")):
            events, _ = self.run_streamed("python", code.format(fd))
            self.assertEqual(text_of(events, name), "é€😀" * 3)
            self.assertGreater(len(events), 3)
        events, result = self.run_streamed("python", "print('a' * 9 + 'é' * 10)", limits={"output_bytes": 10})
        self.assertEqual(text_of(events, "stdout"), "a" * 9)
        self.assertTrue(result["stdout_truncated"])
        self.assertEqual(result["stdout_bytes"], 30)

    def test_all_pieces_are_what_comes_in_one_answer(self):
        code = (f"import os, time\ndata = b'{MIXED}' * 50\n"
                "for at in range(0, len(data), 37):\n"
                "    os.write(1, data[at:at + 37])\n"
                "    if at % 5 == 0: time.sleep(0.001)\n")
        whole = self.run_code("python", code)
        events, result = self.run_streamed("python", code)
        self.assertEqual(text_of(events, "stdout"), whole["stdout"])
        self.assertEqual(result["stdout_bytes"], whole["stdout_bytes"])
        events, _ = self.run_streamed("python", code, output_encoding="base64")
        raw = b"".join(base64.b64decode(data["data"], validate=True) for name, data in events if name == "stdout")
        self.assertEqual(raw, eval(f"b'{MIXED}'") * 50)

    def test_a_reader_that_does_not_read_holds_nothing_up(self):
        """The program ends as if nobody listened; all it wrote is still there for the reader."""
        reader = self.stream(job("python", "import sys; sys.stdout.write('x' * 500_000); sys.stderr.write('y' * 500_000)"))
        _, started = reader.next()
        summary = self.daemon.state_dir / "terminations" / f"{started['job_id']}.json"
        wait_until(summary.exists, 10, "the job has ended")
        events = reader.rest()
        self.assertEqual(text_of(events, "stdout"), "x" * 500_000)
        self.assertEqual(text_of(events, "stderr"), "y" * 500_000)
        self.assert_ended(events[-1][1], "completed", 0)

    def test_bytes_that_wait_for_a_slow_reader_make_no_event_each(self):
        code = "import os\nfor _ in range(30_000):\n    os.write(1, b'x')\n    os.write(2, b'y')"
        for encoding in ("utf8", "base64"):
            reader = self.stream(job("python", code, output_encoding=encoding))
            _, started = reader.next()
            summary = self.daemon.state_dir / "terminations" / f"{started['job_id']}.json"
            wait_until(summary.exists, 20, "the job has ended")
            events = reader.rest()
            self.assertEqual(events[-1][1]["stdout_bytes"], 30_000)
            decode = (lambda text: base64.b64decode(text).decode()) if encoding == "base64" else str
            for name, byte in (("stdout", "x"), ("stderr", "y")):
                self.assertEqual("".join(decode(data["data"]) for event, data in events if event == name), byte * 30_000)

    def test_every_end_is_told(self):
        cases = {
            "timeout": ("sleep 60", {"limits": {"wall_time_ms": 300}}),
            "failed": ("echo gone; exit 3", {}),
            "signaled": ("kill -SEGV $$", {}),
            "completed": ("head -c 2000000 /dev/zero | tr '\\0' x", {}),
        }
        def run(case):
            status, (code, fields) = case
            _, result = self.run_streamed("bash", code, **fields)
            self.assertEqual(result["status"], status, result)
            return result

        results = side_by_side(run, cases.items())
        self.assertEqual(results[-1]["stdout_bytes"], 2_000_000)
        self.assertTrue(results[-1]["stdout_truncated"])
        events, result = self.run_streamed("python", "print('before', flush=True)\nimport socket\nsocket.socket()")
        self.assertEqual((text_of(events, "stdout"), result["status"]), ("before\n", "security_violation"))

    def test_what_is_refused_is_refused_as_ever(self):
        def refused(body, more=None):
            return self.daemon.execute(body, headers={"Accept": "text/event-stream", **(more or {})})

        self.assert_error(refused(job("cobol", "x")), 400, "invalid_request", "language")
        self.assert_error(refused({}), 400)
        self.assert_error(refused(job("bash", "true"), {"Idempotency-Key": "k"}), 400, field="Idempotency-Key")

    def test_a_cancelled_job_is_told_to_its_reader(self):
        reader = self.stream(job("bash", "echo here; sleep 60"))
        _, started = reader.next()
        self.assertEqual(reader.next(), ("stdout", {"data": "here\n"}))
        response = self.daemon.request("DELETE", f"/api/v1/runs/{started['job_id']}")
        self.assertEqual(response.status, 202, response)
        (name, result), = reader.rest()
        self.assertEqual((name, result["status"], result["cause"]["code"]), ("finished", "cancelled", "cancelled"))

    def test_many_at_a_time_do_not_mix(self):
        def run(number):
            events, _ = self.run_streamed("bash", f"for i in 1 2 3; do echo {number}; sleep 0.01; done")
            return text_of(events, "stdout")

        self.assertEqual(side_by_side(run, range(24), 8), [f"{number}\n" * 3 for number in range(24)])

    def test_http_1_0_gets_its_events_to_the_end_of_the_connection(self):
        with self.daemon.connect() as connection:
            body = b'{"tenant_id":"test","language":"bash","code":"echo hi"}'
            connection.send(b"POST /api/v1/execute HTTP/1.0\r\nContent-Type: application/json\r\n"
                            b"Accept: text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            response = connection.read_response()
        self.assertEqual(response.status, 200)
        self.assertTrue(response.raw.startswith(b"event: started\n"), response)
        self.assertIn(b'event: stdout\ndata: {"data":"hi\\n"}\n\n', response.raw)
