"""The client of clients/python against a daemon: typed results, streams, batches, the queue, refusals."""

import contextlib
import pathlib
import socket
import sys
import threading
import unittest

from support.daemon import Daemon
from support.process import wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"))
# pylint: disable=wrong-import-position
from outrigger import ApiError, Cause, Client, File, ProtocolError  # noqa: E402


class Python(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon().__enter__()
        cls.client = Client(f"http://127.0.0.1:{cls.daemon.port}", tenant="py")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def test_a_result_is_typed(self):
        result = self.client.run("python", "import sys; print(input()); print('é', file=sys.stderr); sys.exit(3)",
                                 stdin="hi\n", limits={"wall_time_ms": 4000})
        self.assertEqual((result.status, result.exit_code, result.signal, result.ok), ("failed", 3, None, False))
        self.assertEqual((result.stdout, result.stderr), ("hi\n", "é\n"))
        self.assertEqual((result.tenant_id, result.language, result.limits.wall_time_ms), ("py", "python", 4000))
        self.assertEqual(result.cause, Cause("exited", "exited with status 3"))
        self.assertEqual(set(result.raw) - set(type(result).__dataclass_fields__), {"cgroup_oom_triggered"})
        violation = self.client.run("python", "import socket; socket.socket()")
        self.assertEqual([(event.type, event.syscall) for event in violation.security_events],
                         [("seccomp_violation", "socket")])

    def test_files_go_both_ways(self):
        result = self.client.run("bash", './do < in.bin > out.bin; ln -s /etc/passwd link',
                                 files=[File("do", "#!/bin/sh\ntr a b", mode=0o755), File("in.bin", b"a\xffa\n")],
                                 collect=["out.*", "link"], env={"X": "1"}, args=["one"])
        self.assertTrue(result.ok, result)
        self.assertEqual(result.file("out.bin").content, b"b\xffb\n")
        self.assertEqual(result.file("link").error.code, "symlink")
        self.assertRaises(KeyError, result.file, "nothing")
        raw = self.client.run("bash", "printf '\\377'", binary=True)
        self.assertEqual(raw.stdout_raw, b"\xff")

    def test_a_stream_tells_what_is_written(self):
        events = list(self.client.stream("bash", "echo one; echo two >&2; exit 4"))
        self.assertEqual([event.name for event in (events[0], events[-1])], ["started", "finished"])
        self.assertEqual({(event.name, event.text) for event in events[1:-1]},
                         {("stdout", "one\n"), ("stderr", "two\n")})
        self.assertEqual((events[-1].result.exit_code, events[-1].result.stdout), (4, ""))
        self.assertEqual(events[-1].result.job_id, events[0].job_id)

    def test_leaving_a_stream_ends_its_job(self):
        events = self.client.stream("bash", "echo here; sleep 60")
        job_id = next(events).job_id
        self.assertEqual(next(events).text, "here\n")
        events.close()
        card = self.daemon.state_dir / "jobs" / f"{job_id}.json"
        wait_until(lambda: not card.exists(), 10, "the job has ended")

    def test_a_batch_keeps_its_order(self):
        request = self.client.request
        results = self.client.batch([request("bash", "echo 1"), request("cobol", "x"), request("node", "console.log(3)")])
        self.assertEqual((results[0].stdout, results[1].code, results[2].stdout), ("1\n", "invalid_request", "3\n"))

    def test_the_queue_is_waited_for(self):
        job_id = self.client.submit("python", "print('queued')", idempotency_key="once")
        self.assertEqual(self.client.submit("python", "print('queued')", idempotency_key="once"), job_id)
        self.assertEqual(self.client.wait(job_id).stdout, "queued\n")
        self.assertEqual(self.client.job(job_id).state, "finished")
        self.assertEqual(self.client.run_record(job_id)["status"], "completed")

    def test_a_job_is_cancelled(self):
        events = self.client.stream("bash", "sleep 60")
        self.client.cancel(next(events).job_id)
        self.assertEqual([event.result.status for event in events], ["cancelled"])

    def test_runs_come_page_by_page(self):
        client = Client(f"http://127.0.0.1:{self.daemon.port}", tenant="pages")
        client.batch([client.request("bash", f"exit {number % 2}") for number in range(60)])
        client.batch([client.request("bash", "true") for _ in range(60)])
        self.assertEqual(len(list(client.runs())), 120)
        self.assertEqual(len(list(client.runs(limit=7))), 7)
        self.assertEqual(len(list(client.runs(status="failed"))), 30)
        self.assertEqual({run["tenant_id"] for run in client.runs()}, {"pages"})

    def test_refusals_are_told_with_their_field(self):
        with self.assertRaises(ApiError) as refused:
            self.client.run("python", "x", limits={"pids": 0})
        error = refused.exception
        self.assertEqual((error.status, error.code, error.field), (400, "invalid_request", "limits.pids"))
        for broken in (lambda: list(self.client.stream("python", "")), lambda: self.client.job("nobody"),
                       lambda: self.client.cancel("nobody"), lambda: self.client.batch([])):
            self.assertRaises(ApiError, broken)
        self.assertRaises(ValueError, Client, "127.0.0.1:8080")
        self.assertRaises(ConnectionError, Client("http://127.0.0.1:1").health)
        self.assertRaises(ValueError, self.client.run, "python", "x", limits={"pids": float("nan")})

    def test_it_looks_at_the_daemon(self):
        self.assertEqual(self.client.health()["status"], "ok")
        self.assertIn("python", [each["name"] for each in self.client.languages()["languages"]])

    def test_threads_share_a_client(self):
        found = {}
        def run(number):
            found[number] = self.client.run("bash", f"echo {number}").stdout

        threads = [threading.Thread(target=run, args=(number, )) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {number: f"{number}\n" for number in range(8)})

    def test_a_token_is_sent(self):
        token = "a-secret-token-of-some-length"
        with Daemon(config=f'[server]\ntokens = ["{token}"]\n') as daemon:
            address = f"http://127.0.0.1:{daemon.port}"
            self.assertRaises(ApiError, Client(address).languages)
            self.assertTrue(Client(address, token=token).run("bash", "true").ok)

    def test_what_is_no_daemon_is_seen(self):
        started = b'event: started\ndata: {"job_id": "x"}\n\n'
        chunk = b"%x\r\n%s\r\n" % (len(started), started)
        stream = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk
        for answer in (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"nonsense\r\n\r\n",
                       b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\n<html>"):
            with answering(answer) as client:
                self.assertRaises(ProtocolError, client.health)
        busy = b'{"error": {"code": "server_busy", "message": "too many connections", "field": null}}'
        with answering(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: %d\r\n\r\n%s" % (len(busy), busy)) as client:
            with self.assertRaises(ApiError) as raised:
                client.health()
            self.assertEqual((raised.exception.status, raised.exception.code), (503, "server_busy"))
        unready = b'{"status": "unready"}'
        with answering(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: %d\r\n\r\n%s" % (len(unready), unready)) as client:
            self.assertEqual(client.health(), {"status": "unready"})
        for answer in (stream, stream + b"0\r\n\r\n"):
            with answering(answer) as client:
                events = client.stream("bash", "true")
                self.assertEqual(next(events).job_id, "x")
                self.assertRaises(ProtocolError, list, events)


@contextlib.contextmanager
def answering(answer):
    """A client of a server that takes one request and answers it with these bytes."""
    def serve():
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(answer)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(65536)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield Client(f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=20)
        finally:
            thread.join()
