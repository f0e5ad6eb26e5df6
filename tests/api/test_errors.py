"""Whatever is wrong with a request, the answer is an error in JSON with the right status: never a page, never a 500."""

from api.base import ApiTest, job, module_daemon
from support.http import encode_request

setUpModule, tearDownModule = module_daemon()

GOOD = job("bash", "echo ok")
MIB = 1 << 20
_ROUTES = {
    "/api/v1/execute": {"POST"}, "/health": {"GET", "HEAD"}, "/api/v1/languages": {"GET", "HEAD"},
    "/api/v1/dispatch": {"GET", "HEAD", "PUT"}, "/openapi.json": {"GET", "HEAD"}, "/metrics": {"GET", "HEAD"}
}


class Routes(ApiTest):
    def test_404(self):
        for path in ("/", "/api", "/api/v1", "/api/v1/execut", "/api/v1/executes", "/api/v1/execute/",
                     "/API/V1/EXECUTE", "/api/v3/execute", "/health/", "/index.html", "/favicon.ico",
                     "//api/v1/execute", "/api/v1//execute", "/api/v1/../v1/execute", "/x" * 1000):
            with self.subTest(path[:60]):
                self.assert_error(self.daemon.request("GET", path), 404, "not_found")
                self.assert_error(self.daemon.request("POST", path, GOOD), 404, "not_found")

    def test_404_for_percent_encoded_junk(self):
        for path in ("/%", "/%2", "/%zz", "/%00", "/health%00", "/%2e%2e/health", "/api/v1/execute%2f", "/%ff%fe",
                     "/%0d%0aX:1", "/\xff\xfe", "/health%", "/%" * 500, "/%25" * 500):
            with self.subTest(path[:60]):
                self.assert_error(self.daemon.request("GET", path), (400, 404))

    def test_a_query_does_not_change_the_route(self):
        for path in ("/health?", "/health?x=1", "/health?%", "/health?a=/../b"):
            self.assertEqual(self.daemon.request("GET", path).status, 200, path)
        self.assertEqual(self.daemon.request("POST", "/api/v1/execute?x=y", GOOD).json["stdout"], "ok\n")

    def test_405_names_what_is_allowed(self):
        for path, allowed in _ROUTES.items():
            for method in {"GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND", "BREW"} - allowed:
                with self.subTest(path=path, method=method):
                    body = None if method in ("GET", "DELETE") else {}
                    response = self.daemon.request(method, path, body)
                    self.assert_error(response, (405, 501) if method == "BREW" else 405)
                    if response.status == 405:
                        self.assertEqual({m.strip()
                                          for m in response.headers["allow"].split(",")} - {"HEAD", "OPTIONS"},
                                         allowed - {"HEAD"})

    def test_trace_and_connect_are_no_echo(self):
        for method, target in (("TRACE", "/health"), ("CONNECT", "example.org:80")):
            response = self.daemon.request(method, target, headers={"X-Secret": "echo-me"})
            self.assertIn(response.status, (400, 404, 405, 501), response)
            self.assertNotIn(b"echo-me", response.raw)


class ContentTypes(ApiTest):
    def test_415_for_anything_but_json(self):
        """A browser can send text/plain and forms across sites without asking first: they get nothing run."""
        for kind in (None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                     "text/json", "application/jsonx", "application/xml", "json", "text/html; application/json"):
            with self.subTest(kind):
                self.assert_error(self.daemon.execute(GOOD, {"Content-Type": kind}), 415)
                response = self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True}, {"Content-Type": kind})
                self.assert_error(response, 415)
        self.assertFalse(self.daemon.health()["dispatch"]["paused"])

    def test_json_with_its_parameters(self):
        for kind in ("application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8",
                     "Application/JSON", 'application/json; charset="utf-8"'):
            with self.subTest(kind):
                self.assertEqual(self.daemon.execute(GOOD, {"Content-Type": kind}).status, 200)

    def test_an_encoded_body_is_refused(self):
        for coding in ("gzip", "deflate", "br"):
            self.assert_error(self.daemon.execute(b"\x1f\x8b\x08\x00", {"Content-Encoding": coding}), (400, 415))


class Sizes(ApiTest):
    def test_413_for_the_whole_request(self):
        """Above 16 MiB: said at once, and the answer reaches a client that is still sending."""
        body = b"{" + b" " * (16 * MIB) + b"}"
        self.assert_error(self.daemon.execute(body), 413)

    def test_413_before_the_body_is_sent(self):
        for size in (16 * MIB + 1, 1 << 40, (1 << 63) - 1):
            with self.subTest(size), self.daemon.connect(timeout=10) as connection:
                connection.send_request("POST", "/api/v1/execute",
                                        headers={"Content-Length": str(size), "Content-Type": "application/json"})
                self.assert_error(connection.read_response(), 413)
                self.assertTrue(connection.is_closed_by_peer())

    def test_413_for_a_chunked_body_without_end(self):
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        with self.daemon.connect(timeout=20) as connection:
            connection.send_request("POST", "/api/v1/execute",
                                    headers={"Transfer-Encoding": "chunked", "Content-Type": "application/json"})
            try:
                for _ in range(16 * MIB // 65536 + 1):
                    connection.send(chunk)
            except ConnectionError:
                pass  # refused already
            self.assert_error(connection.read_response(), 413)

    def test_a_request_of_almost_sixteen_mebibytes_is_read(self):
        response = self.daemon.execute(b'{"tenant_id": "t", "language": "bash", "code": "echo ok"' + b" " *
                                       (16 * MIB - 100) + b"}")
        self.assertEqual(response.status, 200, response)

    def test_headers_too_large(self):
        for headers in ({"X-Big": "x" * 20000}, {f"X-{n}": "y" * 100 for n in range(400)}, {"X" * 20000: "y"}):
            self.assert_error(self.daemon.request("GET", "/health", headers=headers), (400, 431))
        self.assert_error(self.daemon.request("GET", "/" + "x" * 20000), (400, 414, 431))
        self.assertEqual(self.daemon.request("GET", "/health", headers={"X-Some": "x" * 7000}).status, 200)


class NotHttp(ApiTest):
    def test_garbage_gets_an_error_or_a_closed_door(self):
        for data in (b"\r\n\r\n\r\n", b"\0" * 100 + b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" +
                     b"x" * 500, b"GET\r\n\r\n", b"GET /health\r\n\r\n", b"GET /health HTTP/9.9\r\n\r\n",
                     b"GET /health FTP/1.1\r\n\r\n", b"GET  /health  HTTP/1.1\r\n\r\n",
                     b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET /health HTTP/1.1\r\nNo colon\r\n\r\n",
                     b"GET /health HTTP/1.1\r\n : x\r\n\r\n", b"GET /health HTTP/1.1\r\nA b: x\r\n\r\n",
                     b"\xff\xfe\xfd\r\n\r\n", b"GET /hea\0lth HTTP/1.1\r\nHost: a\r\n\r\n",
                     b"GET /health HTTP/1.1\r\nX: a\0b\r\n\r\n", b"SSH-2.0-x\r\n\r\n", b"x" * 40000):
            with self.subTest(data[:50]), self.daemon.connect(timeout=15) as connection:
                try:
                    connection.send(data)
                except ConnectionError:
                    continue
                connection.half_close()
                response = connection.read_response_or_end()
                if response is not None:
                    self.assert_error(response, (400, 404, 405, 414, 421, 431, 501, 505))
        self.assertEqual(self.daemon.request("GET", "/health").status, 200)

    def test_lengths_that_contradict_each_other(self):
        """The doubts that request smuggling lives on are no requests."""
        body = b'{"tenant_id": "t", "language": "bash", "code": "true"}'
        length = str(len(body)).encode()
        head = b"POST /api/v1/execute HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        for fields in (b"Content-Length: " + length + b"\r\nContent-Length: 1\r\n", b"Content-Length: -1\r\n",
                       b"Content-Length: x\r\n", b"Content-Length: " + length + b"\r\nTransfer-Encoding: chunked\r\n",
                       b"Content-Length: 0x10\r\n", b"Content-Length: 1, 2\r\n",
                       b"Content-Length: 99999999999999999999999\r\n", b"Content-Length:\r\n",
                       b"Transfer-Encoding: gzip\r\n", b"Transfer-Encoding: chunked, gzip\r\n",
                       b"Content-Length: +5\r\n"):
            with self.subTest(fields), self.daemon.connect(timeout=15) as connection:
                connection.send(head + fields + b"\r\n" + body)
                connection.half_close()
                self.assert_error(connection.read_response(), (400, 411, 413, 501))

    def test_chunks_that_are_none(self):
        head = encode_request("POST", "/api/v1/execute",
                              headers={"Transfer-Encoding": "chunked", "Content-Type": "application/json"})
        for chunks in (b"zz\r\n", b"-1\r\n{}", b"5\r\n{}\r\n0\r\n\r\n", b"ffffffffffffffffff\r\n",
                       b"2\r\n{}XX0\r\n\r\n", b"2;" + b"e" * 100000 + b"\r\n{}\r\n0\r\n\r\n"):
            with self.subTest(chunks[:40]), self.daemon.connect(timeout=15) as connection:
                connection.send(head + chunks)
                self.assert_error(connection.read_response(), (400, 413, 431))
