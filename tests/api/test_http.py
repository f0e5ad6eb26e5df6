"""HTTP/1.1 as its clients use it: kept connections, pipelines, chunks, 100-continue, HEAD, OPTIONS, foreign sites."""

from api.base import ApiTest, job, module_daemon
from support.http import encode_body, encode_request

setUpModule, tearDownModule = module_daemon()

GOOD = job("bash", "echo ok")
EXECUTE = "/api/v1/execute"


class Connections(ApiTest):
    def test_one_connection_serves_many_requests(self):
        with self.daemon.connect() as connection:
            for number in range(30):
                connection.send_request("POST", EXECUTE, job("bash", f"echo {number}"))
                response = connection.read_response()
                self.assertEqual((response.status, response.json["stdout"]), (200, f"{number}\n"))
                connection.send_request("GET", "/health")
                self.assertEqual(connection.read_response().status, 200)

    def test_it_survives_an_error_between(self):
        with self.daemon.connect() as connection:
            for body, status in ((GOOD, 200), ({"x": 1}, 400), (GOOD, 200), ("{", 400), (GOOD, 200)):
                connection.send_request("POST", EXECUTE, body)
                self.assertEqual(connection.read_response().status, status)
            connection.send_request("GET", "/nowhere")
            self.assert_error(connection.read_response(), 404)
            connection.send_request("GET", "/health")
            self.assertEqual(connection.read_response().status, 200)

    def test_pipelined_requests_are_answered_in_order(self):
        """What comes after a request is the next one, not the client's leaving."""
        requests = [encode_request("POST", EXECUTE, job("bash", f"sleep 0.{5 - n}; echo {n}")) for n in range(5)]
        with self.daemon.connect() as connection:
            connection.send(b"".join(requests))
            for number in range(5):
                response = connection.read_response()
                self.assertEqual((response.json["status"], response.json["stdout"]), ("completed", f"{number}\n"))

    def test_a_request_in_single_bytes(self):
        with self.daemon.connect() as connection:
            for byte in encode_request("POST", EXECUTE, GOOD):
                connection.send(bytes([byte]))
            self.assertEqual(connection.read_response().json["stdout"], "ok\n")

    def test_connection_close_is_kept(self):
        with self.daemon.connect() as connection:
            connection.send_request("GET", "/health", headers={"Connection": "close"})
            self.assertEqual(connection.read_response().headers.get("connection"), "close")
            self.assertTrue(connection.is_closed_by_peer())

    def test_http_1_0_is_answered_and_closed(self):
        with self.daemon.connect() as connection:
            connection.send(b"GET /health HTTP/1.0\r\n\r\n")
            self.assertEqual(connection.read_response().status, 200)
            self.assertTrue(connection.is_closed_by_peer())

    def test_a_client_that_breaks_off_in_a_request_is_forgotten(self):
        data = encode_request("POST", EXECUTE, GOOD)
        for cut in (1, 10, data.index(b"\r\n\r\n"), data.index(b"\r\n\r\n") + 4, len(data) - 1):
            with self.daemon.connect() as connection:
                connection.send(data[:cut])
                connection.reset() if cut % 2 else connection.close()
        self.assert_idle()


class Bodies(ApiTest):
    _CHUNKED = {"Transfer-Encoding": "chunked", "Content-Type": "application/json"}

    def test_chunked(self):
        body = encode_body(GOOD)
        for size in (1, 7, len(body)):
            pieces = [body[start:start + size] for start in range(0, len(body), size)]
            data = b"".join(b"%X;ext=1\r\n%s\r\n" % (len(piece), piece)
                            for piece in pieces) + b"0\r\nTrailer: x\r\n\r\n"
            with self.subTest(size), self.daemon.connect() as connection:
                for _ in range(2):
                    connection.send_request("POST", EXECUTE, headers=self._CHUNKED)
                    connection.send(data)
                    self.assertEqual(connection.read_response().json["stdout"], "ok\n")

    def test_expect_100_continue(self):
        body = encode_body(GOOD)
        with self.daemon.connect() as connection:
            for _ in range(2):
                connection.send_request(
                    "POST", EXECUTE, headers={
                        "Expect": "100-continue", "Content-Length": str(len(body)), "Content-Type": "application/json"
                    })
                self.assertEqual(connection.read_response().status, 100)
                connection.send(body)
                self.assertEqual(connection.read_response().json["stdout"], "ok\n")

    def test_expect_is_refused_where_the_body_would_be(self):
        """The point of asking first: a body that will not be taken is never sent."""
        base = {"Expect": "100-continue", "Content-Type": "application/json", "Content-Length": "10"}
        for method, path, change, status in (("POST", EXECUTE, {"Content-Length": str(17 << 20)},
                                              413), ("POST", EXECUTE, {"Content-Type": "text/plain"},
                                                     415), ("POST", "/nowhere", {}, 404), ("DELETE", EXECUTE, {}, 405),
                                             ("POST", EXECUTE, {"Expect": "tea"}, 417)):
            with self.subTest(status), self.daemon.connect(timeout=15) as connection:
                connection.send_request(method, path, headers={**base, **change})
                self.assert_error(connection.read_response(), status)

    def test_expect_by_a_client_that_does_not_wait(self):
        with self.daemon.connect() as connection:
            connection.send_request("POST", EXECUTE, GOOD, {"Expect": "100-continue"})
            response = connection.read_response()
            if response.status == 100:
                response = connection.read_response()
            self.assertEqual(response.json["stdout"], "ok\n")

    def test_a_body_where_none_is_expected(self):
        with self.daemon.connect() as connection:
            connection.send_request("GET", "/health", GOOD)
            self.assertEqual(connection.read_response().status, 200)
            connection.send_request("GET", "/health")
            self.assertEqual(connection.read_response().status, 200)


class Methods(ApiTest):
    def test_head_is_get_without_the_body(self):
        for path in ("/health", "/api/v1/languages", "/api/v1/dispatch", "/openapi.json", "/metrics"):
            with self.subTest(path), self.daemon.connect() as connection:
                connection.send_request("HEAD", path)
                head = connection.read_response("HEAD")
                connection.send_request("GET", path)  # bytes of a body would spoil this answer
                got = connection.read_response()
                self.assertEqual((head.status, head.headers["content-type"]), (200, got.headers["content-type"]))
                self.assertEqual(got.status, 200)

    def test_head_of_nothing(self):
        with self.daemon.connect() as connection:
            for path, status in (("/nowhere", 404), (EXECUTE, 405)):
                connection.send_request("HEAD", path)
                self.assertEqual(connection.read_response("HEAD").status, status)

    def test_options_gives_no_foreign_site_leave(self):
        for path in (EXECUTE, "/api/v1/dispatch", "*"):
            response = self.daemon.request(
                "OPTIONS", path, headers={
                    "Origin": "http://evil.example", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "content-type"
                })
            self.assertIn(response.status, (200, 204, 400, 403, 404, 405), response)
            self.assertFalse([name for name in response.headers if name.startswith("access-control-")], response)


class ForeignSites(ApiTest):
    def test_a_name_that_was_pointed_at_this_machine(self):
        """DNS rebinding: a page of evil.example whose name now means 127.0.0.1 is no local client."""
        for host in ("evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
                     "10.0.0.1", ""):
            with self.subTest(host):
                self.assert_error(self.daemon.execute(GOOD, {"Host": host}), (400, 403, 421))
                response = self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True}, {"Host": host})
                self.assert_error(response, (400, 403, 421))
        self.assertFalse(self.daemon.health()["dispatch"]["paused"])

    def test_this_machines_own_names(self):
        port = self.daemon.port
        for host in ("127.0.0.1", f"127.0.0.1:{port}", "localhost", f"localhost:{port}", "LOCALHOST", f"[::1]:{port}",
                     "127.9.9.9"):
            with self.subTest(host):
                self.assertEqual(self.daemon.execute(GOOD, {"Host": host}).status, 200)

    def test_a_missing_or_repeated_host_is_no_http_1_1(self):
        for lines in (b"", b"Host: 127.0.0.1\r\nHost: evil.example\r\n"):
            with self.subTest(lines), self.daemon.connect(timeout=15) as connection:
                connection.send(b"GET /health HTTP/1.1\r\n" + lines + b"\r\n")
                self.assert_error(connection.read_response(), (400, 403, 421))

    def test_absolute_targets(self):
        self.assertEqual(self.daemon.request("GET", f"http://127.0.0.1:{self.daemon.port}/health").status, 200)
        self.assert_error(self.daemon.request("GET", "http://evil.example/health"), (400, 403, 404, 421))

    def test_answers_are_not_for_guessing_or_keeping(self):
        for response in (self.daemon.request("GET", "/health"), self.daemon.execute(GOOD), self.daemon.execute({})):
            self.assertEqual(response.headers.get("x-content-type-options"), "nosniff", response)
            self.assertEqual(response.headers.get("cache-control"), "no-store", response)
