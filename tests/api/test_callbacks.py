"""callback_url: told once a job has ended, signed, and only where the operator allows."""

import hashlib
import hmac
import http.server
import json
import threading

from api.base import ApiTest, job
from support.daemon import Daemon
from support.process import free_port, wait_until

SECRET = "hush"


class Receiver(http.server.ThreadingHTTPServer):
    """Keeps what it is sent; answers 503 to the first `failures`."""

    def __init__(self, failures=0):
        self.received = []
        self.failures = failures
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/done"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        fails = len(self.server.received) < self.server.failures
        self.server.received.append((dict(self.headers), body))
        self.send_response(503 if fails else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def settings(port):
    return (f'[webhook]\nallow = ["127.0.0.1:{port}"]\npermitted_networks = ["127.0.0.0/8"]\nsecret = "{SECRET}"\n'
            "[pool]\nprimed_memory_bytes = 0\n")


class Callbacks(ApiTest):
    def receiver(self, **options):
        receiver = Receiver(**options)
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        return receiver

    def submit(self, daemon, url, code="echo hi"):
        response = daemon.request("POST", "/api/v1/jobs", {**job("bash", code), "callback_url": url})
        self.assertEqual(response.status, 202, response)
        return response.json["job_id"]

    def check(self, headers, body, job_id):
        self.assertEqual(headers["Outrigger-Job-Id"], job_id)
        signed = f"{headers['Outrigger-Timestamp']}.".encode() + body
        expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        self.assertEqual(headers["Outrigger-Signature"], f"sha256={expected}")

    def test_is_told_once_and_signed(self):
        receiver = self.receiver()
        with Daemon(config=settings(receiver.server_address[1])) as daemon:
            job_id = self.submit(daemon, receiver.url)
            wait_until(lambda: receiver.received, 20, "the callback comes")
            headers, body = receiver.received[0]
            self.check(headers, body, job_id)
            self.assertEqual(json.loads(body), daemon.request("GET", f"/api/v1/jobs/{job_id}").json["result"])
        self.assertEqual(len(receiver.received), 1)

    def test_comes_again_after_a_failure(self):
        receiver = self.receiver(failures=1)
        with Daemon(config=settings(receiver.server_address[1])) as daemon:
            job_id = self.submit(daemon, receiver.url)
            wait_until(lambda: len(receiver.received) == 2, 30, "it comes again")
            for headers, body in receiver.received:
                self.check(headers, body, job_id)

    def test_outlives_the_daemon(self):
        """The receiver is away and the daemon is killed: the next daemon delivers."""
        port = free_port()
        daemon = Daemon(config=settings(port))
        with daemon:
            job_id = self.submit(daemon, f"http://127.0.0.1:{port}/done")
            wait_until(lambda: daemon.request("GET", f"/api/v1/jobs/{job_id}").json["state"] == "finished", 20,
                       "the job ends")
            daemon.process.kill()
            daemon.process.wait()
            received = []

            class Late(_Handler):
                pass

            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Late)
            server.received, server.failures = received, 0
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            port_before = daemon.port
            daemon.start()
            self.assertNotEqual(daemon.port, 0, port_before)
            wait_until(lambda: received, 30, "the callback comes")
            self.check(*received[0], job_id)

    def test_only_where_it_is_allowed(self):
        receiver = self.receiver()
        with Daemon(config=settings(receiver.server_address[1])) as daemon:
            for url in ("http://127.0.0.1:1/x", "http://example.com/", "ftp://127.0.0.1/", "http://u:p@127.0.0.1/",
                        "http://localhost/", "not a url", "file:///etc/passwd"):
                response = daemon.request("POST", "/api/v1/jobs", {**job("bash", "true"), "callback_url": url})
                self.assert_error(response, 400, "invalid_request", "callback_url")
        self.assertEqual(receiver.received, [])
