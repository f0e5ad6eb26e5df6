"""Sixteen slots, a fair queue of three seconds, and a 503 that says when to come back (report R23)."""

import collections
import threading
import time

from api.base import ApiTest, Stopwatch, job, module_daemon, side_by_side
from api.results import assert_well_formed, brief
from support.daemon import Daemon
from support.process import wait_until

setUpModule, tearDownModule = module_daemon()

_ONE_SLOT = "[pool]\nslots = 1\n"


class PoolTest(ApiTest):
    def assert_exhausted(self, response):
        self.assert_error(response, 503, "pool_exhausted")
        self.assertIn(int(response.headers["retry-after"]), range(1, 61))


class Slots(PoolTest):
    def test_r23_a_hundred_at_once_and_another_tenant(self):
        """R23: each is served or told 503 in about three seconds; somebody else's request each second is served."""
        def one(number):
            with Stopwatch() as watch:
                response = self.daemon.execute(job("bash", f"sleep 1; echo {number}", tenant_id="crowd"))
            return number, response, watch.seconds

        others = []
        crowd = threading.Thread(target=lambda: others.extend(self._one_each_second(5)))
        crowd.start()
        answers = side_by_side(one, range(100), at_once=100)
        crowd.join()
        counts = collections.Counter(response.status for _, response, _ in answers)
        self.assertEqual(set(counts) - {200, 503}, set(), counts)
        self.assertGreaterEqual(counts[200], 16, counts)
        for number, response, seconds in answers:
            if response.status == 200:
                assert_well_formed(self, response.json)
                self.assert_completed(response.json, f"{number}\n")
            else:
                self.assert_exhausted(response)
                self.assertLess(seconds, 6)
        self.assertEqual([response.status for response in others], [200] * 5, others)
        self.assert_idle()

    def _one_each_second(self, count):
        started = time.monotonic()
        pending = []
        answers = [None] * count
        for number in range(count):
            time.sleep(max(0.0, started + number + 1 - time.monotonic()))

            def ask(index=number):
                answers[index] = self.daemon.execute(job("bash", "echo other", tenant_id="other"))

            pending.append(threading.Thread(target=ask))
            pending[-1].start()
        for thread in pending:
            thread.join()
        return answers

    def test_sixteen_run_side_by_side(self):
        """All sixteen are in the jail at the same time: each waits until the health says so."""
        thread = threading.Thread(target=side_by_side, args=(lambda _: self.run_code("bash", "sleep 2"), range(16), 16))
        thread.start()
        try:
            wait_until(lambda: self.daemon.health()["pool"]["running"] == 16, 10, "sixteen jobs run")
        finally:
            thread.join()
        self.assert_idle()

    def test_five_hundred_short_jobs(self):
        """Programs that end before anybody looks, with input that nobody takes: each has its own right answer."""
        def one(number):
            return self.run_code("bash", f"echo {number}; exit {number % 2}", stdin="z" * (number % 3 * 100000))

        for number, result in enumerate(side_by_side(one, range(500), 16)):
            self.assertEqual((result["stdout"], result["exit_code"]), (f"{number}\n", number % 2), brief(result))
        self.assert_idle()


class OneSlot(PoolTest):
    def setUp(self):
        super().setUp()
        self.one = self.enterContext(Daemon(_ONE_SLOT))

    def _start(self, code, answers, key):
        def ask():
            answers[key] = self.one.execute(job("bash", code))

        thread = threading.Thread(target=ask)
        thread.start()
        return thread

    def _wait_for(self, **counts):
        wait_until(lambda: counts.items() <= self.one.health()["pool"].items(), 10, f"the pool shows {counts}")

    def test_first_come_first_served(self):
        answers = {}
        threads = [self._start("sleep 1", answers, "first")]
        self._wait_for(running=1)
        for number in range(5):
            threads.append(self._start("date +%s%N", answers, number))
            self._wait_for(waiting=number + 1)
        for thread in threads:
            thread.join()
        times = [int(answers[number].json["stdout"]) for number in range(5)]
        self.assertEqual(times, sorted(times))
        self.assertGreater(answers[4].json["queue_time_ms"], 200)
        self.assertLess(answers["first"].json["queue_time_ms"], 200)

    def test_three_seconds_and_no_more(self):
        answers = {}
        holder = self._start("sleep 60", answers, "holder")
        self._wait_for(running=1)
        with Stopwatch() as watch:
            response = self.one.execute(job("bash", "echo late"))
        self.assert_exhausted(response)
        self.assertGreater(watch.seconds, 2.5)
        self.assertLess(watch.seconds, 5)
        self.assertEqual(self.one.health()["pool"]["waiting"], 0)
        holder.join()
        self.assert_ended(answers["holder"].json, "timeout", 137, "SIGKILL")
        self.assert_completed(self.execute(job("bash", "echo again"), self.one), "again\n")

    def test_bad_requests_do_not_wait(self):
        answers = {}
        holder = self._start("sleep 1.5", answers, "holder")
        self._wait_for(running=1)
        with Stopwatch() as watch:
            self.assert_refused(job("bash", ""), 400, "code", daemon=self.one)
            self.assert_refused(job("cobol", "x"), 400, "language", daemon=self.one)
        self.assertLess(watch.seconds, 1)
        self.assertEqual(self.one.health()["pool"]["running"], 1)
        holder.join()

    def test_a_waiting_client_that_leaves_gives_up_its_place(self):
        answers = {}
        holder = self._start("sleep 2", answers, "holder")
        self._wait_for(running=1)
        leaver = self.one.connect()
        leaver.send_request("POST", "/api/v1/execute", job("bash", "sleep 60"))
        self._wait_for(waiting=1)
        leaver.close()
        self._wait_for(waiting=0)
        self.assertEqual(self.one.health()["pool"]["running"], 1)
        holder.join()
        self.assert_completed(self.execute(job("bash", "echo mine"), self.one), "mine\n")
        summaries = list((self.one.state_dir / "terminations").iterdir())
        self.assertEqual(len(summaries), 2, "the one that left never ran")
