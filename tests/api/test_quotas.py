"""Quotas of tenants, and that none keeps another waiting: told by the order in which jobs begin and end."""

import concurrent.futures
import datetime

from api.base import ApiTest, job
from support.daemon import Daemon
from support.http import Connection
from support.process import TIME_SCALE, wait_until
from support.tokens import bearer, make_token, token_verb


def of(tenant, code="echo ok", **fields):
    return {**job("bash", code, **fields), "tenant_id": tenant}


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class QuotasTest(ApiTest):
    config = ""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(config=cls.config)
        cls.operator = bearer(make_token(cls.daemon.state_dir, "*"))
        cls.daemon.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def tenant(self, name, *quotas):
        """A tenant of its own for each test, whose token is good by the time it is returned."""
        headers = bearer(make_token(self.daemon.state_dir, name, *quotas))
        wait_until(lambda: self.daemon.request("GET", "/api/v1/languages", headers=headers).status == 200, 5,
                   "the token is good")
        return headers

    def runs(self, tenant):
        """Its runs as (started, ended, received), oldest start first."""
        path = f"/api/v1/runs?limit=1000&tenant_id={tenant}"
        runs = self.daemon.request("GET", path, headers=self.operator).json["runs"]
        return sorted((moment(run["started_at"]), moment(run["ended_at"]), moment(run["received_at"])) for run in runs)

    def most_at_a_time(self, tenant):
        runs = self.runs(tenant)
        return max(sum(started <= at < ended for started, ended, _ in runs) for at, _, _ in runs)

    def queued(self, tenant, headers, code, count):
        ids = [self.daemon.request("POST", "/api/v1/jobs", of(tenant, code), headers).json["job_id"]
               for _ in range(count)]

        def ended(job_id):
            return self.daemon.request("GET", f"/api/v1/jobs/{job_id}", headers=headers).json["state"] == "finished"

        wait_until(lambda: all(map(ended, ids)), 60, "the queued jobs have ended")


class JobsAMinute(QuotasTest):
    def limits(self, response):
        return tuple(int(response.headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining", "reset"))

    def test_are_counted_told_and_then_refused(self):
        acme = self.tenant("acme", "--per-minute", "4")
        self.assertEqual(self.limits(self.daemon.execute(of("acme"), acme)), (4, 3, 15))
        self.assertEqual(self.limits(self.daemon.request("POST", "/api/v1/jobs", of("acme"), acme))[:2], (4, 2))
        wrong = self.daemon.execute({**of("acme"), "language": "nothing"}, acme)
        self.assertEqual((wrong.status, self.limits(wrong)[:2]), (400, (4, 2)), "what is refused does not count")
        streamed = self.daemon.execute(of("acme"), {**acme, "Accept": "text/event-stream"})
        self.assertEqual((streamed.status, self.limits(streamed)[:2]), (200, (4, 1)))
        by_an_operator = self.daemon.execute(of("acme"), self.operator)
        self.assertEqual((by_an_operator.status, self.limits(by_an_operator)[:2]), (200, (4, 0)))
        for path in ("/api/v1/execute", "/api/v1/jobs"):
            refused = self.daemon.request("POST", path, of("acme"), acme)
            self.assert_error(refused, 429, "rate_limited")
            self.assertEqual(self.limits(refused)[:2], (4, 0))
            self.assertIn(int(refused.headers["retry-after"]), range(1, 16))
        refused = self.daemon.execute(of("acme"), {**acme, "Accept": "text/event-stream"})
        self.assert_error(refused, 429, "rate_limited")
        self.assertEqual(self.daemon.execute(of("globex"), self.operator).status, 200)
        self.assertNotIn("x-ratelimit-limit", self.daemon.execute(of("globex"), self.operator).headers)
        self.assertNotIn("x-ratelimit-limit", self.daemon.request("GET", "/api/v1/languages", headers=acme).headers)

    def test_come_back_with_time(self):
        tenant = self.tenant("patient", "--per-minute", "30")
        while self.daemon.execute(of("patient"), tenant).status == 200:
            pass
        refused = self.daemon.execute(of("patient"), tenant)
        self.assertEqual(int(refused.headers["retry-after"]), 2)
        wait_until(lambda: self.daemon.execute(of("patient"), tenant).status == 200, 10, "one more may run")

    def test_what_is_given_again_does_not_count(self):
        tenant = self.tenant("again", "--per-minute", "2")
        keyed = {**tenant, "Idempotency-Key": "k"}
        for _ in range(5):
            self.assertEqual(self.daemon.execute(of("again"), keyed).status, 200)
        self.assertEqual(self.daemon.execute(of("again"), tenant).status, 200)
        late = {**tenant, "Idempotency-Key": "late"}
        self.assert_error(self.daemon.execute(of("again"), late), 429, "rate_limited")
        token_verb(self.daemon.state_dir, "quota", "again", "--per-minute", "none")
        wait_until(lambda: self.daemon.execute(of("again"), late).status == 200, 10, "the refusal was not kept")

    def test_a_batch_counts_each_of_its_jobs(self):
        tenant = self.tenant("batch", "--per-minute", "3")
        answer = self.daemon.request("POST", "/api/v1/batch", {"jobs": [of("batch")] * 5}, tenant)
        codes = [each["error"]["code"] if "error" in each else each["status"] for each in answer.json["results"]]
        self.assertEqual(sorted(codes), ["completed"] * 3 + ["rate_limited"] * 2)
        self.assertEqual(self.limits(answer)[:2], (3, 0))

    def test_hold_for_other_apis_too(self):
        tenant = self.tenant("others", "--per-minute", "2")
        piston = {"language": "bash", "version": "*", "files": [{"content": ":"}]}
        judge0 = {"language_id": 46, "source_code": ":"}
        self.assertEqual(self.daemon.request("POST", "/api/v2/execute", piston, tenant).status, 200)
        self.assertEqual(self.daemon.request("POST", "/submissions", judge0, tenant).status, 201)
        for path, body in (("/api/v2/execute", piston), ("/submissions", judge0)):
            refused = self.daemon.request("POST", path, body, tenant)
            self.assertEqual((refused.status, self.limits(refused)[:2]), (429, (2, 0)))
            self.assertIn("retry-after", refused.headers)
            self.assertNotIn("code", refused.json, "in its own form")


class JobsAtATime(QuotasTest):
    config = "[pool]\nslots = 4\nacquire_timeout_ms = 60000\n"

    def test_more_wait_for_their_own_and_hold_nobody_up(self):
        acme = self.tenant("acme", "--concurrent", "2")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = [pool.submit(self.daemon.execute, of("acme", "sleep 0.4"), acme) for _ in range(6)]
            wait_until(lambda: self.daemon.health()["pool"]["waiting"] == 4, 10, "four of them wait")
            self.assertEqual(self.daemon.health()["pool"]["running"], 2, "two slots are free all the while")
            for _ in range(3):
                self.assertEqual(self.daemon.execute(of("globex"), self.operator).status, 200)
            self.assertGreater(self.daemon.health()["pool"]["waiting"], 0, "and they were served meanwhile")
            self.assertEqual({each.result().status for each in answers}, {200})
        self.assertEqual(self.most_at_a_time("acme"), 2)

    def test_queued_jobs_keep_to_it_and_hold_nobody_up(self):
        tenant = self.tenant("queue", "--concurrent", "1")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            slow = pool.submit(self.queued, "queue", tenant, "sleep 0.5", 6)
            wait_until(lambda: self.daemon.health()["queue"]["in_flight"] > 0, 10, "some are taken")
            self.queued("globex", self.operator, "true", 3)
            self.assertFalse(slow.done(), "those behind them in the queue were done before")
            slow.result()
        self.assertEqual(self.most_at_a_time("queue"), 1)

    def test_operators_keep_to_it_too(self):
        self.tenant("ops", "--concurrent", "1")
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            answers = [pool.submit(self.daemon.execute, of("ops", "sleep 0.3"), self.operator) for _ in range(3)]
            self.assertEqual({each.result().status for each in answers}, {200})
        self.assertEqual(self.most_at_a_time("ops"), 1)


class TooLong(QuotasTest):
    config = "[pool]\nslots = 4\nacquire_timeout_ms = 300\nmax_waiting = 8\n"

    def test_who_waits_for_its_own_in_vain_is_told_so(self):
        self.assert_idle()
        tenant = self.tenant("acme", "--concurrent", "1")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            running = pool.submit(self.daemon.execute, of("acme", "sleep 3"), tenant)
            wait_until(lambda: self.daemon.health()["pool"]["running"] == 1, 10, "the first runs")
            for headers in (tenant, {**tenant, "Accept": "text/event-stream"}):
                refused = self.daemon.execute(of("acme"), headers)
                self.assert_error(refused, 429, "too_many_jobs")
                self.assertEqual(refused.headers["retry-after"], "1")
            self.assertEqual(running.result().status, 200)


class Fairness(QuotasTest):
    config = "[pool]\nslots = 4\nacquire_timeout_ms = 600000\nmax_waiting = 250\n"
    FLOOD = 300

    def flood(self):
        connections = [Connection(self.daemon.host, self.daemon.port, 120 * TIME_SCALE) for _ in range(self.FLOOD)]
        for connection in connections:
            self.addCleanup(connection.close)
            connection.send_request("POST", "/api/v1/execute", of("flood", "sleep 1"), self.operator)
        return connections

    def test_a_flood_of_one_tenant_leaves_the_next_slot_to_another(self):
        connections = self.flood()
        wait_until(lambda: self.daemon.health()["pool"]["waiting"] == 250, 30, "the line is as long as it may be")
        for _ in range(5):
            self.assertEqual(self.daemon.execute(of("single"), self.operator).status, 200,
                             "one of the flood made room")
        for connection in connections:
            connection.close()
        self.assert_idle()
        flood = self.runs("flood")
        for started, _, received in self.runs("single"):
            ended_meanwhile = sum(received < ended < started for _, ended, _ in flood)
            # The one whose slot it got; others may end at the very same moment, but no more than run at a time.
            self.assertLessEqual(ended_meanwhile, 4)
            begun_meanwhile = sum(received < began < started for began, _, _ in flood)
            # One may have had its slot already and begun a little later.
            self.assertLessEqual(begun_meanwhile, 1, "none of the flood got a slot before it")

    def test_of_two_floods_each_has_half(self):
        with concurrent.futures.ThreadPoolExecutor(48) as pool:
            one = [pool.submit(self.daemon.execute, of("one", "sleep 0.2"), self.operator) for _ in range(32)]
            wait_until(lambda: self.daemon.health()["pool"]["waiting"] >= 16, 20, "the first flood waits")
            two = [pool.submit(self.daemon.execute, of("two", "sleep 0.2"), self.operator) for _ in range(12)]
            for each in one + two:
                self.assertEqual(each.result().status, 200)
        two = self.runs("two")
        last_received = max(received for _, _, received in two)
        # While both wait neither has more than two of the four slots, but for those it had before the other came.
        for at, _, _ in two[2:]:
            if at > last_received:
                self.assertLessEqual(sum(began <= at < ended for began, ended, _ in two), 2)
        begun = sorted([(began, "one") for began, _, _ in self.runs("one")] + [(began, "two") for began, _, _ in two])
        first = next(i for i, (_, who) in enumerate(begun) if who == "two")
        last = max(i for i, (_, who) in enumerate(begun) if who == "two")
        self.assertLessEqual(last - first, 2 * len(two) + 2, "they take turns")
