"""Slow, idle and silent clients cost the others nothing and are not kept for ever."""

import contextlib
import resource
import threading

from api.base import ApiTest, Stopwatch, job, module_daemon
from support.daemon import Daemon
from support.http import encode_request
from support.process import wait_until

setUpModule, tearDownModule = module_daemon()

GOOD = job("bash", "echo ok")
_SHORT = "[server]\nheader_timeout_ms = 1000\nbody_timeout_ms = 1500\nidle_timeout_ms = 2000\n"
_CLIENTS = 200


def allow_descriptors(number):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE,
                           (min(number, hard) if hard != resource.RLIM_INFINITY else number, hard))


class Dripping:
    """Connections that send `begin` and then `slowly`, byte by byte without an end, from a thread of their own."""
    def __init__(self, daemon, count, begin=b"", slowly=b""):
        self.connections = [daemon.connect() for _ in range(count)]
        for connection in self.connections:
            connection.send(begin)
        self._slowly = slowly
        self._stop = threading.Event()
        self._rounds = 0
        self._thread = threading.Thread(target=self._drip)

    def __enter__(self):
        self._thread.start()
        wait_until(lambda: self._rounds >= 3, 20, "each slow client has sent some bytes")
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        for connection in self.connections:
            connection.close()

    def _drip(self):
        while not self._stop.wait(0.02):
            byte = self._slowly[self._rounds:self._rounds + 1] or b"x"
            for connection in self.connections:
                with contextlib.suppress(OSError):  # those the daemon has given up
                    connection.send(byte)
            self._rounds += 1


class Crowds(ApiTest):
    def assert_served_promptly(self, daemon):
        for _ in range(5):
            with Stopwatch() as watch:
                self.assert_completed(self.execute(GOOD, daemon), "ok\n")
            self.assertLess(watch.seconds, 1)

    def test_200_dripping_and_200_idle(self):
        """The next request is served within a second."""
        allow_descriptors(4096)
        head = encode_request("POST", "/api/v1/execute", headers={"Content-Type": "application/json"
                                                                  })[:-4] + b"\r\nX-Slow: "
        with contextlib.ExitStack() as stack:
            idle = [stack.enter_context(self.daemon.connect()) for _ in range(_CLIENTS)]
            stack.enter_context(Dripping(self.daemon, _CLIENTS, slowly=head))
            self.assert_served_promptly(self.daemon)
            self.assertEqual(len(idle), _CLIENTS)
        self.assert_served_promptly(self.daemon)

    def test_200_that_drip_a_body_and_200_kept_alive(self):
        allow_descriptors(4096)
        head = encode_request("POST", "/api/v1/execute",
                              headers={"Content-Type": "application/json", "Content-Length": "1000000"})
        with contextlib.ExitStack() as stack:
            for _ in range(_CLIENTS):
                connection = stack.enter_context(self.daemon.connect())
                connection.send_request("GET", "/health")
                self.assertEqual(connection.read_response().status, 200)
            stack.enter_context(Dripping(self.daemon, _CLIENTS, head))
            self.assert_served_promptly(self.daemon)

    def test_more_connections_than_the_daemon_holds(self):
        """Beyond its maximum new clients are still served, or told 503: idle ones lock nobody out."""
        with Daemon("[server]\nmax_connections = 50\n") as daemon, contextlib.ExitStack() as stack:
            for _ in range(60):
                stack.enter_context(daemon.connect())
            response = wait_until(lambda: self._try(daemon), 15, "a new client is served")
            self.assertEqual(response.json["stdout"], "ok\n")

    def _try(self, daemon):
        try:
            response = daemon.execute(GOOD)
        except OSError:
            return None
        if response.status == 503:
            self.assert_error(response, 503)
            return None
        return response if response.status == 200 else self.fail(response)

    def test_clients_that_never_read(self):
        """Answers that nobody takes are bounded in time and space, and the others go on."""
        code = "head -c 500000 /dev/zero"
        request = encode_request("POST", "/api/v1/execute", job("bash", code)) * 20
        with contextlib.ExitStack() as stack:
            for _ in range(8):
                connection = stack.enter_context(self.daemon.connect())
                connection.send(request)
            for _ in range(5):
                self.assert_completed(self.execute(GOOD), "ok\n")
        self.assert_idle()


class Patience(ApiTest):
    def test_each_stage_has_its_end(self):
        """408 and a closed connection where a request was begun; a silent close where none was."""
        whole = encode_request("POST", "/api/v1/execute", GOOD)
        body_start = whole.index(b"\r\n\r\n") + 4
        with Daemon(_SHORT) as daemon, contextlib.ExitStack() as stack:
            stages = {
                name: stack.enter_context(daemon.connect(timeout=20))
                for name in ("silent", "line", "head", "body", "kept")
            }
            stages["line"].send(b"POST /api")
            stages["head"].send(whole[:body_start - 2])
            stages["body"].send(whole[:-5])
            stages["kept"].send(whole)
            self.assertEqual(stages["kept"].read_response().status, 200)
            for name in ("line", "head", "body"):
                with self.subTest(name):
                    self.assert_error(stages[name].read_response(), 408, "request_timeout")
                    self.assertTrue(stages[name].is_closed_by_peer())
            for name in ("silent", "kept"):
                with self.subTest(name):
                    response = stages[name].read_response_or_end()
                    if response is not None:
                        self.assert_error(response, 408)
                        self.assertTrue(stages[name].is_closed_by_peer())

    def test_bytes_now_and_then_do_not_buy_time(self):
        """The head has its time from its first byte on, however it drips in."""
        with Daemon(_SHORT) as daemon, Dripping(daemon, 1, slowly=b"GET /health HTTP/1.1\r\nX: ") as dripping:
            (connection, ) = dripping.connections
            with Stopwatch() as watch:
                response = connection.read_response_or_end()
            self.assertLess(watch.seconds, 6)
            if response is not None:
                self.assert_error(response, 408)

    def test_a_running_job_is_no_idle_client(self):
        with Daemon(_SHORT) as daemon:
            self.assert_completed(self.execute(job("bash", "sleep 3.5; echo ok"), daemon), "ok\n")
