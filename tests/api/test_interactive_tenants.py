"""Conversations of tenants: on whose account a program runs, and how many of them there may be."""

from api.base import ApiTest, job
from support.daemon import Daemon
from support.live import Live
from support.process import wait_until
from support.tokens import bearer, make_token
from support.websocket import WebSocket


class TenantsConversations(ApiTest):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.acme = bearer(make_token(cls.daemon.state_dir, "acme", "--per-minute", "2"))
        cls.globex = bearer(make_token(cls.daemon.state_dir, "globex", "--limit", "wall_time_ms=700"))
        cls.operator = bearer(make_token(cls.daemon.state_dir, "*"))
        cls.daemon.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def talk(self, tenant, headers, code="true"):
        return Live(self, {"request": {**job("bash", code), "tenant_id": tenant}}, headers=headers)

    def test_a_token_is_its_own_tenants(self):
        error = self.talk("acme", self.globex).refused()
        self.assertEqual((error["code"], error["field"]), ("forbidden", "tenant_id"))
        self.assertEqual(self.talk("anyone", self.operator).end()["tenant_id"], "anyone")

    def test_quotas_hold(self):
        """Of jobs a minute, whatever they come through, and of limits."""
        self.talk("acme", self.acme).end()
        with self.daemon.connect() as connection:
            socket = WebSocket(connection, "/api/v2/connect", self.acme)
            socket.send({"type": "init", "language": "bash", "version": "*", "files": [{"content": "true"}]})
            self.assertEqual(socket.rest()[-1]["code"], 0)
        self.assertEqual(self.talk("acme", self.acme).refused(1013)["code"], "rate_limited")
        self.assert_ended(self.talk("globex", self.globex, "read a").end(), "timeout", 137, "SIGKILL")

    def test_pistons_runs_are_its_tenants(self):
        with self.daemon.connect() as connection:
            socket = WebSocket(connection, "/api/v2/connect", self.globex)
            socket.send({"type": "init", "language": "bash", "version": "*", "files": [{"content": "exit 5"}]})
            self.assertEqual(socket.rest()[-1], {"type": "exit", "stage": "run", "code": 5, "signal": None})
        wait_until(lambda: any(run["exit_code"] == 5 for run in self.daemon.request(
            "GET", "/api/v1/runs", headers=self.globex).json["runs"]), 10, "its row")
