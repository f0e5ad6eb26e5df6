"""An Idempotency-Key means the same to every daemon of a fleet."""

import concurrent.futures

from api.base import job
from chaos.fleet import ChaosTest, rows_in, wait_for_rows


class AcrossDaemons(ChaosTest):
    def ask(self, daemon, path, body, key):
        return daemon.request("POST", path, body, {"Idempotency-Key": key})

    def across(self, **servers):
        one, two = self.worker("n1", **servers), self.worker("n2", **servers)
        body = job("bash", "sleep 0.3; echo $RANDOM$RANDOM")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            at_once = list(pool.map(lambda i: self.ask((one, two)[i % 2], "/api/v1/execute", body, "k1"), range(8)))
        self.assertEqual({response.status for response in at_once}, {200}, at_once)
        self.assertEqual(len({response.raw for response in at_once}), 1, "all have the first one's answer")
        self.assertEqual(sum("idempotency-replayed" in response.headers for response in at_once), 7)
        other = self.ask(two, "/api/v1/execute", job("bash", "true"), "k1")
        self.assertEqual((other.status, other.json["error"]["field"]), (409, "Idempotency-Key"), other)
        ids = {self.ask(daemon, "/api/v1/jobs", job("bash", "true"), "k1").json["job_id"] for daemon in (one, two, one)}
        self.assertEqual(len(ids), 1, "a key is of its route")
        return [at_once[0].json["job_id"], *ids]

    def test_by_redis(self):
        postgres, redis = self.postgres(), self.redis()
        ids = self.across(postgres=postgres, redis=redis)
        wait_for_rows(postgres, 2)
        self.account("one key, eight requests, two daemons (redis)", ids, rows_in(postgres))

    def test_by_postgres(self):
        postgres = self.postgres()
        one, two = self.worker("n1", postgres=postgres), self.worker("n2", postgres=postgres)
        body = job("bash", "sleep 0.3; echo $RANDOM$RANDOM")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda i: self.ask((one, two)[i % 2], "/api/v1/execute", body, "k"), range(8)))
        self.assertEqual({response.status for response in answers}, {200}, answers)
        self.assertEqual(len({response.raw for response in answers}), 1)
        wait_for_rows(postgres, 1)
        self.account("one key, eight requests, two daemons (postgres)", [answers[0].json["job_id"]], rows_in(postgres))
