"""The queue's server and its workers go away in every way: each job has one result and one row."""

import json
import os
import signal

from api.base import job
from chaos.fleet import DEAD, Announcements, ChaosTest, Worker, rows_in, settings, wait_for_rows
from support.process import wait_until


class QueueServer(ChaosTest):
    def finish(self, fault, daemon, postgres, ids, announced=None):
        results = self.wait_final(daemon, ids)
        self.assertEqual({result["result"]["status"] for result in results.values()}, {"completed"})
        wait_for_rows(postgres, len(ids))
        self.account(fault, ids, rows_in(postgres), results, announced)

    def test_down_at_the_start(self):
        postgres, redis = self.postgres(), self.redis()
        redis.stop()
        daemon = self.worker(postgres=postgres, redis=redis)
        ids = self.submit(daemon, 50)
        wait_until(lambda: not daemon.health()["queue"]["available"], 20, "health says that the queue is away")
        self.assertEqual(daemon.request("GET", f"/api/v1/jobs/{ids[0]}").json["state"], "queued")
        redis.start()
        self.finish("redis down at the start", daemon, postgres, ids)

    def in_mid_burst(self, fault, harm, mend, **options):
        postgres, redis = self.postgres(), self.redis(**options)
        daemon = self.worker(postgres=postgres, redis=redis)
        ids = self.submit(daemon, 60, code="sleep 0.05")
        harm(redis)
        ids += self.submit(daemon, 30)
        mend(redis)
        ids += self.submit(daemon, 30)
        self.finish(f"redis {fault}", daemon, postgres, ids)

    def test_restarted_with_persistence(self):
        self.in_mid_burst("restarted, with persistence", lambda it: it.stop(), lambda it: it.start(), persistent=True)

    def test_killed_without_persistence(self):
        self.in_mid_burst("killed -9, its memory lost", lambda it: it.kill(), lambda it: it.start())

    def test_frozen(self):
        self.in_mid_burst("frozen (SIGSTOP)", lambda it: it.freeze(), lambda it: it.thaw())


class Workers(ChaosTest):
    def two(self):
        """Two daemons on one queue, as on two machines: neither's control groups are the other's."""
        postgres, redis = self.postgres(), self.redis()
        return postgres, redis, self.worker("n1", postgres=postgres, redis=redis), self.worker(
            "n2", postgres=postgres, redis=redis)

    def test_two_share_the_work(self):
        postgres, redis, one, two = self.two()
        heard = Announcements(redis)
        ids = self.submit(one, 100, code="sleep 0.02") + self.submit(two, 100, code="sleep 0.02")
        results = self.wait_final(one, ids)
        wait_for_rows(postgres, len(ids))
        self.account("two daemons on one queue", ids, rows_in(postgres), results, heard.ids)
        nodes = {result["result"]["node"] for result in results.values()}
        self.assertEqual(nodes, {"n1", "n2"})

    def test_one_is_killed_in_mid_job(self):
        postgres, redis, one, two = self.two()
        heard = Announcements(redis)
        ids = self.submit(two, 40, code="sleep 0.3")
        wait_until(lambda: one.health()["queue"]["in_flight"] > 0, 20, "the first daemon has jobs")
        one.die()
        results = self.wait_final(two, ids)
        wait_for_rows(postgres, len(ids))
        self.account("one of two daemons killed -9 in mid-job", ids, rows_in(postgres), results, heard.ids)
        self.assertGreater(max(result["attempt"] for result in results.values()), 1)

    def test_one_is_frozen_past_its_lease(self):
        """What it says when it thaws comes too late: another has done its jobs."""
        postgres, redis, one, two = self.two()
        heard = Announcements(redis)
        ids = self.submit(two, 40, code="sleep 0.3")
        wait_until(lambda: one.health()["queue"]["in_flight"] > 0, 20, "the first daemon has jobs")
        one.freeze()
        results = self.wait_final(two, ids)
        one.thaw()
        wait_until(lambda: one.health()["queue"]["in_flight"] == 0, 30, "the thawed daemon lets go")
        again = self.wait_final(two, ids)
        self.assertEqual(results, again, "a late duplicate overwrites nothing")
        wait_for_rows(postgres, len(ids))
        self.account("one of two daemons frozen past its lease", ids, rows_in(postgres), results, heard.ids)

    def test_killed_with_results_unsent(self):
        """The queue's server is away when the daemon dies: its jobs run again, and have one row each."""
        postgres, redis = self.postgres(), self.redis(persistent=True)
        state = self.directory()
        daemon = self.stack.enter_context(Worker(settings(postgres=postgres, redis=redis), state_dir=state))
        ids = self.submit(daemon, 30, code="sleep 0.2")
        wait_until(lambda: daemon.health()["queue"]["in_flight"] > 0, 20, "jobs run")
        redis.freeze()
        daemon.die()
        redis.thaw()
        daemon.spawn()
        wait_until(daemon._is_up, 30, "the daemon is up again")
        results = self.wait_final(daemon, ids)
        wait_for_rows(postgres, len(ids))
        self.account("daemon killed -9 with results unsent", ids, rows_in(postgres), results)

    def test_terminated_with_jobs_running(self):
        """What it had is given back at once, and no attempt is used up."""
        postgres, redis, one, two = self.two()
        ids = self.submit(two, 40, code="sleep 0.3")
        wait_until(lambda: one.health()["queue"]["in_flight"] > 0, 20, "the first daemon has jobs")
        one.stop()
        results = self.wait_final(two, ids)
        wait_for_rows(postgres, len(ids))
        self.account("one of two daemons terminated", ids, rows_in(postgres), results)

    def test_terminated_while_the_queue_stands_still(self):
        """It ends in its time all the same; what could not be settled is, by the next daemon on its directory."""
        postgres, redis = self.postgres(), self.redis()
        state = self.directory()
        first = self.stack.enter_context(Worker(settings(postgres=postgres, redis=redis), state_dir=state))
        ids = self.submit(first, 24, code="sleep 0.5")
        wait_until(lambda: first.health()["queue"]["in_flight"] > 4, 20, "jobs run")
        redis.freeze()
        first.process.send_signal(signal.SIGTERM)
        first.wait_for_exit(0, timeout=40)
        redis.thaw()
        first.start()
        results = self.wait_final(first, ids)
        wait_for_rows(postgres, len(ids))
        self.account("daemon terminated while redis is frozen", ids, rows_in(postgres), results)

    def test_a_jailer_dies(self):
        postgres, redis = self.postgres(), self.redis()
        daemon = self.worker(postgres=postgres, redis=redis)
        ids = self.submit(daemon, 30, code="sleep 0.3")
        wait_until(lambda: daemon.health()["queue"]["in_flight"] > 0, 20, "jobs run")
        os.kill(daemon.jailer_pid, signal.SIGKILL)
        results = self.wait_final(daemon, ids)
        self.assertEqual({result["result"]["status"] for result in results.values()}, {"completed"})
        wait_for_rows(postgres, len(ids))
        self.account("jailer killed -9 with queued jobs running", ids, rows_in(postgres), results)


class Embedded(ChaosTest):
    """Without Redis and PostgreSQL: the daemon's own files."""

    def rows(self, daemon):
        rows, before = [], ""
        while True:
            page = daemon.request("GET", f"/api/v1/runs?limit=7{before}").json
            rows += [run["job_id"] for run in page["runs"]]
            if page["next_before"] is None:
                return rows
            before = f"&before={page['next_before']}"

    def test_killed_with_jobs_queued_and_running(self):
        state = self.directory()
        daemon = self.stack.enter_context(Worker(settings(), state_dir=state))
        ids = self.submit(daemon, 40, code="sleep 0.2")
        wait_until(lambda: daemon.health()["queue"]["in_flight"] > 0, 20, "jobs run")
        for _ in range(2):
            daemon.die()
            daemon.spawn()
            wait_until(daemon._is_up, 30, "the daemon is up again")
        results = self.wait_final(daemon, ids)
        self.assertEqual({result["result"]["status"] for result in results.values()}, {"completed"})
        self.account("embedded: daemon killed -9 twice, jobs queued", ids, self.rows(daemon), results)

    def test_three_attempts_and_no_more(self):
        state = self.directory()
        daemon = self.stack.enter_context(Worker(settings(), state_dir=state))
        ids = self.submit(daemon, 1, code="sleep 4")
        for attempt in (1, 2, 3):
            wait_until(lambda: daemon.request("GET", f"/api/v1/jobs/{ids[0]}").json["attempt"] == attempt, 20,
                       f"attempt {attempt} runs")
            wait_until(lambda: list((daemon.state_dir / "jobs").iterdir()), 20, "it has its card")
            daemon.die()
            daemon.spawn()
            wait_until(daemon._is_up, 30, "the daemon is up again")
        results = self.wait_final(daemon, ids)
        self.assertEqual(results[ids[0]]["state"], "dead")
        outcome = results[ids[0]]["result"]
        self.assertEqual((outcome["status"], outcome["cause"]["code"]), ("internal_error", "attempts_exhausted"))
        self.account("embedded: daemon killed -9 in all three attempts", ids, self.rows(daemon), results)


class Entries(ChaosTest):
    """What any producer may push, and what nobody should."""

    def test_bad_ones_are_explained_once(self):
        redis, postgres = self.redis(), self.postgres()
        daemon = self.worker(postgres=postgres, redis=redis)
        bad = ["not json", "{}", "[]", "", "x" * 10_000_000, json.dumps(job("cobol", "x")),
               json.dumps({**job("bash", "true"), "limits": {"pids": 0}}), json.dumps({**job("bash", "true"), "jobid": "a"}),
               json.dumps({**job("bash", "true"), "job_id": "../../etc"}), json.dumps(job("bash", "x" * 2_000_000))]
        for entry in bad:
            redis.command("LPUSH", "sandbox:jobs", entry)
        good = json.dumps({**job("bash", "echo fine"), "job_id": "good-one"})
        redis.command("LPUSH", "sandbox:jobs", good)
        wait_until(lambda: redis.command("GET", "sandbox:results:good-one"), 30, "the good one has run")
        result = json.loads(redis.command("GET", "sandbox:results:good-one"))
        self.assertEqual((result["status"], result["stdout"]), ("completed", "fine\n"))
        wait_until(lambda: redis.command("LLEN", DEAD) == len(bad), 30, "each bad one is in the dead list")
        dead = [json.loads(entry) for entry in redis.command("LRANGE", DEAD, 0, -1)]
        self.assertTrue(all(entry["reason"] for entry in dead), dead)
        self.assertTrue(all(len(entry["entry"]) <= 4096 for entry in dead))
        self.assertIn("cobol", " ".join(entry["entry"] for entry in dead))
        self.assertEqual(redis.command("LLEN", "sandbox:jobs"), 0)
        wait_until(lambda: daemon.health()["queue"]["in_flight"] == 0, 10, "all are settled")
        wait_for_rows(postgres, 1)
        self.assertEqual(rows_in(postgres), ["good-one"])
        self.assertEqual(daemon.execute(job("bash", "true")).status, 200)

    def test_a_job_pushed_twice_runs_once(self):
        redis, postgres = self.redis(), self.postgres()
        heard = Announcements(redis)
        daemon = self.worker(postgres=postgres, redis=redis)
        entry = json.dumps({**job("bash", "sleep 0.2"), "job_id": "twin"})
        for _ in range(5):
            redis.command("LPUSH", "sandbox:jobs", entry)
        wait_until(lambda: redis.command("GET", "sandbox:results:twin"), 30, "it has run")
        wait_until(lambda: redis.command("LLEN", "sandbox:jobs") == 0, 10, "the queue is empty")
        wait_for_rows(postgres, 1)
        self.account("one job pushed five times", ["twin"], rows_in(postgres), {"twin": 1}, heard.ids)
        self.assertEqual(daemon.health()["queue"]["dead"], 0)


class Secrets(ChaosTest):
    def test_no_password_is_told_to_anybody(self):
        postgres, redis = self.postgres(), self.redis()
        daemon = self.worker(postgres=postgres, redis=redis)
        secrets = [redis.password, postgres.url.split(":")[2].split("@")[0]]
        postgres.stop()
        redis.stop()
        ids = self.submit(daemon, 3)
        seen = [json.dumps(daemon.health()), daemon.request("GET", "/api/v1/runs").raw.decode(),
                daemon.request("GET", "/metrics").raw.decode(),
                daemon.request("GET", f"/api/v1/jobs/{ids[0]}").raw.decode()]
        guest = daemon.execute(job("bash", "env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'"))
        seen.append(guest.json["stdout"])
        wait_until(lambda: not daemon.health()["queue"]["available"], 20, "the queue is known to be away")
        seen.append(daemon.stderr_text())
        for secret in secrets:
            for text in seen:
                self.assertNotIn(secret, text)
        postgres.start()
        redis.start()
        self.wait_final(daemon, ids)
