"""Queued jobs, on the embedded queue: promised, run, looked at, cancelled."""

import threading
import time

from api.base import ApiTest, job, module_daemon, side_by_side
from api.results import assert_well_formed
from support.process import wait_until

setUpModule, tearDownModule = module_daemon(config="[pool]\nslots = 4\n")

FIELDS = {"job_id", "state", "attempt", "cancel_requested", "worker", "result", "error"}


class QueueTest(ApiTest):
    def submit(self, body, headers=None):
        response = self.daemon.request("POST", "/api/v1/jobs", body, headers)
        self.assertEqual(response.status, 202, response)
        self.assertEqual(set(response.json), FIELDS)
        self.assertEqual(response.headers["location"], f"/api/v1/jobs/{response.json['job_id']}")
        return response.json["job_id"]

    def status(self, job_id):
        response = self.daemon.request("GET", f"/api/v1/jobs/{job_id}")
        self.assertEqual(response.status, 200, response)
        self.assertEqual(set(response.json), FIELDS)
        return response.json

    def wait_final(self, job_id):
        return wait_until(lambda: (it := self.status(job_id))["state"] in ("finished", "dead") and it, 30,
                          f"{job_id} ends")

    def cancel(self, job_id):
        return self.daemon.request("DELETE", f"/api/v1/runs/{job_id}")


class Jobs(QueueTest):
    def test_runs_as_a_direct_request_would(self):
        job_id = self.submit(job("python", "print(input(), end='')", stdin="hi\n", limits={"pids": 9}))
        status = self.wait_final(job_id)
        self.assertEqual((status["state"], status["attempt"], status["error"]), ("finished", 1, None))
        result = status["result"]
        self.assertEqual((result["job_id"], result["stdout"], result["limits"]["pids"]), (job_id, "hi", 9))
        self.assertEqual(result.pop("attempt"), 1)
        self.assertTrue(result.pop("node"))
        assert_well_formed(self, result)
        row = self.daemon.request("GET", f"/api/v1/runs/{job_id}").json
        self.assertEqual((row["origin"], row["status"], row["wall_time_ms"]),
                         ("queue", "completed", result["wall_time_ms"]))

    def test_its_card_and_group_bear_its_id(self):
        job_id = self.submit(job("bash", "sleep 30"))
        card = self.daemon.state_dir / "jobs" / f"{job_id}.json"
        wait_until(card.exists, 20, "it has its card")
        self.assertIn(job_id, card.read_text())
        self.assertEqual(self.cancel(job_id).status, 202)
        self.assertEqual(self.wait_final(job_id)["result"]["status"], "cancelled")

    def test_many_at_once(self):
        ids = side_by_side(lambda i: self.submit(job("bash", f"echo {i}")), range(60), at_once=8)
        self.assertEqual(len(set(ids)), 60)
        outputs = {self.wait_final(job_id)["result"]["stdout"] for job_id in ids}
        self.assertEqual(outputs, {f"{i}\n" for i in range(60)})

    def test_what_is_refused(self):
        for body, field in ((job("bash", ""), "code"), (job("cobol", "x"), "language"),
                            ({**job("bash", "true"), "job_id": "mine"}, "job_id"),
                            ({**job("bash", "true"), "callback_url": "https://hooks.example.com/"}, "callback_url"),
                            ({**job("bash", "true"), "limits": {"pids": 0}}, "limits.pids")):
            self.assert_error(self.daemon.request("POST", "/api/v1/jobs", body), 400, "invalid_request", field)
        for job_id in ("nobody", "..", "A"):
            self.assert_error(self.daemon.request("GET", f"/api/v1/jobs/{job_id}"), 404, "not_found")

    def test_base64_and_files(self):
        job_id = self.submit(job("bash", "cat in.bin", output_encoding="base64",
                                 files=[{"path": "in.bin", "content": "/wA=", "encoding": "base64"}]))
        self.assertEqual(self.wait_final(job_id)["result"]["stdout"], "/wA=")

    def test_a_pause_holds_the_queue(self):
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True, "reason": "test"})
        self.addCleanup(self.daemon.request, "PUT", "/api/v1/dispatch", {"paused": False})
        ids = [self.submit(job("bash", "true")) for _ in range(5)]
        rows_before = self.daemon.request("GET", "/api/v1/runs?tenant_id=test&limit=1").json["runs"][:1]
        wait_until(lambda: self.daemon.health()["queue"]["available"], 10, "the queue is there")
        self.assertEqual({self.status(job_id)["state"] for job_id in ids} - {"queued", "running"}, set())
        self.assertEqual(self.daemon.request("GET", "/api/v1/runs?tenant_id=test&limit=1").json["runs"][:1], rows_before)
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": False})
        for job_id in ids:
            self.assertEqual(self.wait_final(job_id)["state"], "finished")

    def test_direct_requests_come_first(self):
        """Four slots of which queued jobs hold at most three: a direct request finds one, however long the queue is."""
        ids = [self.submit(job("bash", "sleep 0.5")) for _ in range(12)]
        wait_until(lambda: self.daemon.health()["pool"]["running"] == 3, 20, "queued jobs hold their share")
        for _ in range(3):
            self.assert_completed(self.run_code("bash", "true"))
        self.assertLessEqual(self.daemon.health()["pool"]["running"], 4)
        for job_id in ids:
            self.assertEqual(self.wait_final(job_id)["result"]["status"], "completed")


class Cancel(QueueTest):
    def test_one_that_waits(self):
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True})
        self.addCleanup(self.daemon.request, "PUT", "/api/v1/dispatch", {"paused": False})
        job_id = self.submit(job("bash", "echo ran"))
        self.assertEqual(self.cancel(job_id).status, 202)
        result = self.wait_final(job_id)["result"]
        self.assertEqual((result["status"], result["stdout"], result["cause"]["code"]), ("cancelled", "", "cancelled"))
        row = self.daemon.request("GET", f"/api/v1/runs/{job_id}").json
        self.assertEqual((row["status"], row["attempt"]), ("cancelled", 0))

    def test_one_that_has_ended(self):
        job_id = self.submit(job("bash", "true"))
        self.wait_final(job_id)
        self.assert_error(self.cancel(job_id), 409, "conflict")
        direct = self.run_code("bash", "true")["job_id"]
        self.assert_error(self.cancel(direct), 409, "conflict")

    def test_nobody(self):
        for job_id in ("nobody", "..", "Z"):
            self.assert_error(self.cancel(job_id), 404, "not_found")

    def test_a_direct_one(self):
        """By the id on its card; its caller is told that it was cancelled."""
        results = []
        thread = threading.Thread(target=lambda: results.append(self.run_code("bash", "sleep 30")))
        thread.start()
        jobs = self.daemon.state_dir / "jobs"
        wait_until(lambda: list(jobs.glob("[0-9a-z]*.json")), 20, "it runs")
        self.assertEqual(self.cancel(next(jobs.glob("[0-9a-z]*.json")).stem).status, 202)
        thread.join(20)
        self.assert_ended(results[0], "cancelled", 137, "SIGKILL")


class Keys(QueueTest):
    def ask(self, body, key, path="/api/v1/execute"):
        return self.daemon.request("POST", path, body, {"Idempotency-Key": key})

    def test_the_first_answer_again(self):
        body = job("bash", "echo $RANDOM$RANDOM$RANDOM")
        first = self.ask(body, "again")
        second = self.ask(body, "again")
        self.assertEqual((first.status, first.raw), (second.status, second.raw))
        self.assertNotIn("idempotency-replayed", first.headers)
        self.assertEqual(second.headers["idempotency-replayed"], "true")
        self.assertNotEqual(self.ask(body, "another").raw, first.raw)

    def test_another_body(self):
        self.ask(job("bash", "true"), "body")
        self.assert_error(self.ask(job("bash", "false"), "body"), 409, "conflict", "Idempotency-Key")

    def test_a_key_is_its_tenants_and_its_routes(self):
        one = self.ask(job("bash", "echo a", tenant_id="one"), "mine")
        two = self.ask(job("bash", "echo b", tenant_id="two"), "mine")
        self.assertEqual((one.status, two.status), (200, 200))
        ids = {self.ask(job("bash", "echo a", tenant_id="one"), "mine", "/api/v1/jobs").json["job_id"] for _ in range(3)}
        self.assertEqual(len(ids), 1)

    def test_what_came_to_nothing_is_free_again(self):
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True})
        self.addCleanup(self.daemon.request, "PUT", "/api/v1/dispatch", {"paused": False})
        self.assertEqual(self.ask(job("bash", "true"), "later").status, 503)
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": False})
        self.assertEqual(self.ask(job("bash", "true"), "later").status, 200)

    def test_who_comes_back_finds_the_answer(self):
        """A client that has lost its connection asks again: its job went on, and ran once."""
        body = job("bash", "sleep 0.5; echo done")
        with self.daemon.connect() as connection:
            connection.send_request("POST", "/api/v1/execute", body, {"Idempotency-Key": "lost"})
            jobs = self.daemon.state_dir / "jobs"
            wait_until(lambda: list(jobs.glob("[0-9a-z]*.json")), 20, "it runs")
            running = {card.stem for card in jobs.glob("[0-9a-z]*.json")}
        answer = self.ask(body, "lost")
        self.assertEqual((answer.status, answer.json["stdout"]), (200, "done\n"), answer)
        self.assertIn(answer.json["job_id"], running)

    def test_where_it_means_nothing(self):
        response = self.daemon.request("PUT", "/api/v1/dispatch", {"paused": False}, {"Idempotency-Key": "k"})
        self.assert_error(response, 400, "invalid_request", "Idempotency-Key")
        for key in ("", " ", "a b", "x" * 256, "caf\u00e9"):
            self.assert_error(self.ask(job("bash", "true"), key), 400, "invalid_request", "Idempotency-Key")


class Restart(QueueTest):
    def test_nothing_is_left_of_the_queue_files_locks(self):
        """A daemon that was stopped leaves its promises to the next one."""
        self.daemon.request("PUT", "/api/v1/dispatch", {"paused": True})
        ids = [self.submit(job("bash", "true")) for _ in range(3)]
        started = time.monotonic()
        self.daemon.stop()
        self.daemon.start()
        for job_id in ids:
            self.assertEqual(self.wait_final(job_id)["state"], "finished")
        self.assertLess(time.monotonic() - started, 60)
