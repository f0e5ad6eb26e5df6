"""Who may ask: bearer tokens where they are configured, and no open door to the network without them."""

import socket

from api.base import ApiTest, job, module_daemon
from support.daemon import Daemon

_TOKENS = ("first-token-0123456789", "second.token~with/all+chars=")
setUpModule, tearDownModule = module_daemon(config=f"[server]\ntokens = {list(_TOKENS)!r}\n")

GOOD = job("bash", "echo ok")


class Tokens(ApiTest):
    def test_each_configured_token_opens(self):
        for token in _TOKENS:
            for scheme in ("Bearer", "bearer", "BEARER"):
                response = self.daemon.execute(GOOD, {"Authorization": f"{scheme} {token}"})
                self.assertEqual((response.status, response.json.get("stdout")), (200, "ok\n"))

    def test_401_for_anything_else(self):
        first = _TOKENS[0]
        for value in (None, "", "Bearer", "Bearer ", f"Bearer {first[:-1]}", f"Bearer {first}x", f"Bearer {first} x",
                      f"Basic {first}", first, f"Bearer{first}", f"Bearer {first.upper()}",
                      f"Bearer {first}, Bearer {first}", "Bearer " + "x" * 8000, f"Bearer \"{first}\""):
            with self.subTest(str(value)[:50]):
                response = self.daemon.execute(GOOD, {"Authorization": value})
                self.assert_error(response, 401, "unauthorized")
                self.assertIn("Bearer", response.headers["www-authenticate"])
                self.assertNotIn(first.encode(), response.raw)

    def test_every_route_but_the_public_ones(self):
        for method, path, body in (("GET", "/api/v1/languages", None), ("GET", "/api/v1/dispatch", None),
                                   ("POST", "/api/v1/execute", {}), ("PUT", "/api/v1/dispatch", {"paused": True}),
                                   ("POST", "/api/v1/execute", "not json")):
            self.assert_error(self.daemon.request(method, path, body), 401)
        for path in ("/health", "/openapi.json", "/metrics"):
            self.assertEqual(self.daemon.request("GET", path).status, 200)
        self.assertFalse(self.daemon.health()["dispatch"]["paused"])

    def test_a_body_is_not_read_for_strangers(self):
        with self.daemon.connect(timeout=15) as connection:
            connection.send_request(
                "POST", "/api/v1/execute",
                headers={"Content-Type": "application/json", "Content-Length": "1000000", "Expect": "100-continue"})
            self.assert_error(connection.read_response(), 401)

    def test_tokens_stay_out_of_the_log_and_the_process_list(self):
        self.daemon.execute(GOOD, {"Authorization": f"Bearer {_TOKENS[0]}"})
        for token in _TOKENS:
            self.assertNotIn(token, self.daemon.stderr_text())


class Listening(ApiTest):
    def test_off_loopback_without_tokens_is_refused(self):
        """Refused at the start, in one sentence that says what to do; nothing listens."""
        for host in ("0.0.0.0", "[::]", "192.0.2.1", "[::ffff:0.0.0.0]"):
            with self.subTest(host):
                daemon = Daemon()
                try:
                    daemon.spawn(listen_host=host)
                    daemon.wait_for_exit(1, timeout=15)
                    self.assertIn("token", daemon.stderr_text())
                    self.assertEqual(daemon.stderr_text().strip().count("\n"), 0, daemon.stderr_text())
                    with socket.socket() as probe:
                        self.assertNotEqual(probe.connect_ex(("127.0.0.1", daemon.port)), 0)
                finally:
                    daemon.__exit__(None, None, None)
