"""Tenants: a token opens one tenant's door, shows nothing of the others', and is taken away without a restart."""

import concurrent.futures
import os
import stat

from api.base import ApiTest, job
from support.daemon import Daemon
from support.process import wait_until
from support.tokens import bearer, make_token, token_verb


def of(tenant, language="bash", code="echo ok", **fields):
    return {**job(language, code, **fields), "tenant_id": tenant}


class TenantsTest(ApiTest):
    """One daemon with a token each of acme, globex and an operator, made before it is started."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        state = cls.daemon.state_dir
        cls.acme = bearer(make_token(state, "acme"))
        cls.globex = bearer(make_token(state, "globex"))
        cls.operator = bearer(make_token(state, "*"))
        cls.daemon.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def await_status(self, status, headers, path="/api/v1/languages"):
        """A change of the file is taken within a second: 5 s are for a machine that is busy."""
        wait_until(lambda: self.daemon.request("GET", path, headers=headers).status == status, 5,
                   f"{path} answers {status}")


class Doors(TenantsTest):
    def test_a_token_runs_its_own_tenants_jobs_only(self):
        for headers, tenant in ((self.acme, "acme"), (self.globex, "globex"), (self.operator, "anyone")):
            response = self.daemon.execute(of(tenant), headers)
            self.assertEqual((response.status, response.json["tenant_id"], response.json["stdout"]),
                             (200, tenant, "ok\n"))
        for path in ("/api/v1/execute", "/api/v1/jobs"):
            response = self.daemon.request("POST", path, of("globex"), self.acme)
            self.assert_error(response, 403, "forbidden", "tenant_id")
        events = {**self.acme, "Accept": "text/event-stream"}
        self.assert_error(self.daemon.execute(of("globex"), events), 403, "forbidden", "tenant_id")
        self.assert_error(self.daemon.execute(of("acme")), 401, "unauthorized")

    def test_a_batch_runs_what_is_ones_own(self):
        body = {"jobs": [of("acme"), of("globex"), of("acme", code="echo two")]}
        results = self.daemon.request("POST", "/api/v1/batch", body, self.acme).json["results"]
        self.assertEqual([each.get("stdout") or each["error"]["code"] for each in results],
                         ["ok\n", "forbidden", "two\n"])
        results = self.daemon.request("POST", "/api/v1/batch", body, self.operator).json["results"]
        self.assertEqual([each["tenant_id"] for each in results], ["acme", "globex", "acme"])

    def test_other_apis_run_on_the_tokens_account(self):
        for headers, tenant in ((self.acme, "acme"), (self.operator, "default")):
            piston = {"language": "bash", "version": "*", "files": [{"content": "echo p"}]}
            answer = self.daemon.request("POST", "/api/v2/execute", piston, headers)
            self.assertEqual((answer.status, answer.json["run"]["stdout"]), (200, "p\n"))
            judge0 = {"language_id": 46, "source_code": "echo j"}
            answer = self.daemon.request("POST", "/submissions?wait=true", judge0, headers)
            self.assertEqual((answer.status, answer.json["stdout"]), (201, "j\n"))
            for_its_own = self.daemon.request("GET", f"/submissions/{answer.json['token']}", headers=headers)
            self.assertEqual(for_its_own.status, 200)
            for_others = self.daemon.request("GET", f"/submissions/{answer.json['token']}", headers=self.globex)
            self.assertEqual(for_others.status, 404)
            runs = self.daemon.request("GET", f"/api/v1/runs?tenant_id={tenant}&limit=2", headers=headers).json["runs"]
            self.assertEqual({run["origin"] for run in runs}, {"direct", "queue"})
        self.assertEqual(self.daemon.request("POST", "/api/v2/execute", {}).status, 401)
        self.assertEqual(self.daemon.request("GET", "/languages").status, 401)

    def test_an_agent_sees_its_tenants_runs_only(self):
        def call(headers, tool, **arguments):
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": tool, "arguments": arguments}}
            return self.daemon.request("POST", "/mcp", message, headers).json["result"]

        ran = call(self.acme, "run_code", language="bash", code="echo m")
        self.assertFalse(ran.get("isError"), ran)
        job_id = self.daemon.request("GET", "/api/v1/runs?limit=1", headers=self.acme).json["runs"][0]["job_id"]
        self.assertFalse(call(self.acme, "get_run", job_id=job_id).get("isError"))
        self.assertTrue(call(self.globex, "get_run", job_id=job_id)["isError"])

    def test_runs_of_others_are_not_there(self):
        mine = self.daemon.execute(of("acme"), self.acme).json["job_id"]
        path = f"/api/v1/runs/{mine}"
        self.assertEqual(self.daemon.request("GET", path, headers=self.acme).status, 200)
        self.assertEqual(self.daemon.request("GET", path, headers=self.operator).status, 200)
        unknown = "/api/v1/runs/" + "0" * len(mine)
        for method in ("GET", "DELETE"):
            hidden = self.daemon.request(method, path, headers=self.globex)
            self.assertEqual((hidden.status, hidden.json),
                             (404, self.daemon.request(method, unknown, headers=self.globex).json))
        self.assert_error(self.daemon.request("DELETE", path, headers=self.acme), 409, "conflict")

    def test_lists_are_ones_own(self):
        for headers, tenant in ((self.acme, "acme"), (self.globex, "globex")):
            self.daemon.execute(of(tenant), headers)
        for headers, expected in ((self.acme, {"acme"}), (self.globex, {"globex"})):
            runs = self.daemon.request("GET", "/api/v1/runs", headers=headers).json["runs"]
            self.assertEqual({run["tenant_id"] for run in runs}, expected)
        everybody = self.daemon.request("GET", "/api/v1/runs", headers=self.operator).json["runs"]
        self.assertLessEqual({"acme", "globex"}, {run["tenant_id"] for run in everybody})
        own = self.daemon.request("GET", "/api/v1/runs?tenant_id=acme", headers=self.acme)
        self.assertEqual(own.status, 200)
        self.assert_error(self.daemon.request("GET", "/api/v1/runs?tenant_id=globex", headers=self.acme), 403,
                          "forbidden", "tenant_id")

    def test_queued_jobs_of_others_are_not_there(self):
        job_id = self.daemon.request("POST", "/api/v1/jobs", of("acme", code="sleep 2"), self.acme).json["job_id"]
        path = f"/api/v1/jobs/{job_id}"
        unknown = self.daemon.request("GET", "/api/v1/jobs/" + "0" * 32, headers=self.globex)
        hidden = self.daemon.request("GET", path, headers=self.globex)
        self.assertEqual((hidden.status, hidden.json), (404, unknown.json))
        self.assert_error(self.daemon.request("DELETE", f"/api/v1/runs/{job_id}", headers=self.globex), 404)
        self.assertEqual(self.daemon.request("GET", path, headers=self.operator).status, 200)

        def ended():
            status = self.daemon.request("GET", path, headers=self.acme).json
            return status["result"] if status["state"] == "finished" else None

        wait_until(ended, 20, "the job has ended")
        self.assertEqual(ended()["status"], "completed", "nobody else has cancelled it")
        self.assert_error(self.daemon.request("GET", path, headers=self.globex), 404)

    def test_running_jobs_are_cancelled_by_their_own_tenant(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(self.daemon.execute, of("acme", code="sleep 4"), self.acme)
            wait_until(lambda: os.listdir(self.daemon.state_dir / "jobs"), 10, "the job runs")
            job_id = os.listdir(self.daemon.state_dir / "jobs")[0].removesuffix(".json")
            path = f"/api/v1/runs/{job_id}"
            self.assert_error(self.daemon.request("DELETE", path, headers=self.globex), 404)
            self.assertEqual(self.daemon.request("DELETE", path, headers=self.acme).status, 202)
            self.assertEqual(waiting.result().json["status"], "cancelled")

    def test_only_operators_pause_dispatch(self):
        pause = {"paused": True, "reason": "test"}
        self.assert_error(self.daemon.request("PUT", "/api/v1/dispatch", pause, self.acme), 403, "forbidden")
        self.assertFalse(self.daemon.health()["dispatch"]["paused"])
        self.assertEqual(self.daemon.request("GET", "/api/v1/dispatch", headers=self.acme).status, 200)
        for paused in (True, False):
            answer = self.daemon.request("PUT", "/api/v1/dispatch", {"paused": paused}, self.operator)
            self.assertEqual((answer.status, answer.json["paused"]), (200, paused))

    def test_the_same_key_of_two_tenants_is_two_keys(self):
        for headers, tenant in ((self.acme, "acme"), (self.globex, "globex")):
            response = self.daemon.execute(of(tenant, code=f"echo {tenant}"), {**headers, "Idempotency-Key": "k-1"})
            self.assertEqual((response.status, response.json["stdout"]), (200, f"{tenant}\n"))


class Ceilings(TenantsTest):
    def setUp(self):
        super().setUp()
        token_verb(self.daemon.state_dir, "quota", "acme", "--limit", "wall_time_ms=2000", "--limit", "memory_bytes=64M")
        wait_until(lambda: self.limits(self.acme)["wall_time_ms"] == 2000, 5, "the quota holds")
        self.addCleanup(token_verb, self.daemon.state_dir, "quota", "acme", "--limit", "wall_time_ms=none", "--limit",
                        "memory_bytes=none")

    def limits(self, headers):
        return self.daemon.request("GET", "/api/v1/languages", headers=headers).json["limit_ceilings"]

    def test_are_the_tenants_whoever_asks(self):
        for headers in (self.acme, self.operator):
            refused = self.daemon.execute(of("acme", limits={"wall_time_ms": 2001}), headers)
            error = self.assert_error(refused, 400, "invalid_request", "limits.wall_time_ms")
            self.assertIn("from 1 to 2000", error["message"])
            limits = self.daemon.execute(of("acme"), headers).json["limits"]
            self.assertEqual((limits["wall_time_ms"], limits["memory_bytes"]), (2000, 64 << 20))
        for headers in (self.globex, self.operator):
            limits = self.daemon.execute(of("globex", limits={"wall_time_ms": 3000}), headers).json["limits"]
            self.assertEqual(limits["wall_time_ms"], 3000)
        self.assertEqual(self.limits(self.globex)["wall_time_ms"], 5000)

    def test_hold_in_a_batch_and_in_other_apis(self):
        body = {"jobs": [of("acme"), of("globex"), of("acme", limits={"wall_time_ms": 2001})]}
        results = self.daemon.request("POST", "/api/v1/batch", body, self.operator).json["results"]
        self.assertEqual([each["limits"]["wall_time_ms"] for each in results[:2]], [2000, 5000])
        self.assertEqual(results[2]["error"]["field"], "limits.wall_time_ms")
        piston = {"language": "bash", "version": "*", "files": [{"content": ":"}], "run_timeout": 2001}
        self.assertEqual(self.daemon.request("POST", "/api/v2/execute", piston, self.acme).status, 400)
        self.assertEqual(self.daemon.request("POST", "/api/v2/execute", piston, self.globex).status, 200)

    def test_go_with_a_queued_job(self):
        for headers in (self.acme, self.operator):
            job_id = self.daemon.request("POST", "/api/v1/jobs", of("acme"), headers).json["job_id"]

            def ended(path=f"/api/v1/jobs/{job_id}"):
                return self.daemon.request("GET", path, headers=self.acme).json["result"]

            wait_until(ended, 20, "the job has ended")
            self.assertEqual(ended()["limits"]["wall_time_ms"], 2000)
        too_much = of("acme", limits={"memory_bytes": 65 << 20})
        self.assert_error(self.daemon.request("POST", "/api/v1/jobs", too_much, self.acme), 400, None,
                          "limits.memory_bytes")


class Changes(TenantsTest):
    def test_a_new_token_opens_and_a_revoked_one_does_not(self):
        token = make_token(self.daemon.state_dir, "initech", "--note", "new")
        self.await_status(200, bearer(token))
        token_verb(self.daemon.state_dir, "revoke", token["id"])
        self.await_status(401, bearer(token))
        self.assertEqual(self.daemon.request("GET", "/api/v1/languages", headers=self.acme).status, 200)

    def test_a_token_expires_by_itself(self):
        token = make_token(self.daemon.state_dir, "initech", "--expires", "4s")
        self.await_status(200, bearer(token))
        wait_until(lambda: self.daemon.request("GET", "/api/v1/languages", headers=bearer(token)).status == 401, 15,
                   "the token has expired")

    def test_a_file_that_is_broken_or_gone_changes_nothing(self):
        file = self.daemon.state_dir / "tokens" / "tokens.jsonl"
        good = file.read_bytes()
        self.addCleanup(lambda: wait_until(lambda: self.daemon.health()["status"] == "ok", 5, "all is well again"))
        self.addCleanup(file.write_bytes, good)
        for spoil in (lambda: file.write_bytes(b"{ broken\n"), file.unlink):
            spoil()
            wait_until(lambda: self.daemon.health()["status"] == "degraded", 5, "/health says so")
            self.assertIn("tokens file", " ".join(self.daemon.health()["reasons"]))
            self.assertNotIn(str(file.parent), " ".join(self.daemon.health()["reasons"]), "nobody is told where it is")
            self.assertEqual(self.daemon.request("GET", "/api/v1/languages", headers=self.acme).status, 200)
        self.assertIn("tokens_not_read", self.daemon.stderr_text())
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o640))
        file.chmod(0o640)

    def test_the_file_is_the_daemons_to_read_and_not_to_write(self):
        place = self.daemon.state_dir / "tokens"
        for path, mode in ((place, 0o2750), (place / "tokens.jsonl", 0o640)):
            about = path.stat()
            self.assertEqual((stat.S_IMODE(about.st_mode), about.st_uid), (mode, 0), path)
            self.assertNotEqual(about.st_gid, 0, path)

    def test_no_token_is_in_the_file_or_the_log(self):
        token = make_token(self.daemon.state_dir, "initech")
        self.await_status(200, bearer(token))
        self.assertNotIn(token["token"], (self.daemon.state_dir / "tokens" / "tokens.jsonl").read_text())
        self.assertNotIn(token["token"], self.daemon.stderr_text())


class Starts(ApiTest):
    def test_a_daemon_without_tokens_asks_for_one_as_soon_as_there_is_one_and_ever_after(self):
        with Daemon() as daemon:
            self.assertEqual(daemon.execute(of("anyone")).status, 200)
            token = make_token(daemon.state_dir, "acme")
            wait_until(lambda: daemon.execute(of("anyone")).status == 401, 5, "a token is asked for")
            self.assertEqual(daemon.execute(of("acme"), bearer(token)).status, 200)
            (daemon.state_dir / "tokens" / "tokens.jsonl").write_text("")
            wait_until(lambda: daemon.execute(of("acme"), bearer(token)).status == 401, 5, "nobody is let in")

    def test_a_daemon_whose_tokens_are_all_revoked_lets_nobody_in(self):
        daemon = Daemon()
        token_verb(daemon.state_dir, "revoke", make_token(daemon.state_dir, "acme")["id"])
        with daemon:
            self.assert_error(daemon.execute(of("acme")), 401)

    def test_a_broken_file_is_no_start(self):
        daemon = Daemon()
        (daemon.state_dir / "tokens").mkdir()
        file = daemon.state_dir / "tokens" / "tokens.jsonl"
        file.write_text('{"quotas":"acme","per_minut":3}\n')
        file.chmod(0o640)
        try:
            for args in ([], ["--check-config"]):
                daemon._args = args
                daemon.spawn()
                daemon.wait_for_exit(1, timeout=15)
                self.assertIn(f"{file}:1: per_minut is not a known field", daemon.stderr_text())
        finally:
            daemon.__exit__(None, None, None)

    def test_tokens_of_the_file_let_it_listen_off_loopback(self):
        daemon = Daemon(args=["--check-config", "--listen", "0.0.0.0:1"])
        try:
            for expected in (1, 0):
                daemon.spawn()
                daemon.wait_for_exit(expected, timeout=15)
                make_token(daemon.state_dir, "acme")
        finally:
            daemon.__exit__(None, None, None)
