"""Jails that stand ready before their jobs come: used once, made again, never handed out when something touched them."""

import os
import signal

from api.base import ApiTest, module_daemon, side_by_side
from support.daemon import Daemon
from support.process import children_of, is_alive, open_descriptors, wait_until

setUpModule, tearDownModule = module_daemon()


class PrimedTest(ApiTest):
    def shelves(self):
        return {shelf["runtime"]: shelf for shelf in self.daemon.health()["pool"]["primed"]}

    def wait_until_ready(self):
        wait_until(lambda: all(one["ready"] >= one["target"] for one in self.shelves().values()), 60,
                   "as many jails stand ready as are wanted")


class Primed(PrimedTest):
    def setUp(self):
        super().setUp()
        self.wait_until_ready()

    def test_each_language_has_some_and_a_job_takes_one(self):
        for language in ("python", "node", "bash"):
            with self.subTest(language):
                before = self.shelves()[language]
                self.assertGreater(before["ready"], 0)
                self.assert_completed(self.run_code(language, {"python": "print(1)", "node": "console.log(1)",
                                                               "bash": "echo 1"}[language]), "1\n")
                self.assertEqual(self.shelves()[language]["hits"], before["hits"] + 1)
        self.wait_until_ready()

    def test_limits_of_its_own_get_a_jail_of_its_own(self):
        before = self.shelves()["bash"]
        for limits in ({"pids": 31}, {"memory_bytes": 64 << 20}, {"tmpfs_bytes": 1 << 20}, {"cpu_time_ms": 1000}):
            self.assert_completed(self.run_code("bash", "echo 1", limits=limits), "1\n")
        after = self.shelves()["bash"]
        self.assertEqual((after["hits"], after["misses"]), (before["hits"], before["misses"]))

    def test_its_bandwidth_is_the_jobs(self):
        """A primed jail gets it with its job: a quarter of the default makes a loop last as much longer."""
        before = self.shelves()["python"]
        loop = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass"
        half = self.run_code("python", loop)
        eighth = self.run_code("python", loop, limits={"cpu_cores": 0.125})
        self.assert_completed(half)
        self.assert_completed(eighth)
        self.assertEqual(eighth["limits"]["cpu_cores"], 0.125)
        self.assertEqual(self.shelves()["python"]["hits"], before["hits"] + 2)
        self.assertGreater(eighth["throttled_time_ms"], half["throttled_time_ms"])
        # It has been given no more than its share of each period, and one period on credit.
        self.assertGreater(eighth["wall_time_ms"], 0.2 / 0.125 * 1000 - 200)

    def test_limits_the_jail_does_not_know_make_no_difference(self):
        before = self.shelves()["bash"]
        result = self.run_code("bash", "echo 12345", limits={"output_bytes": 3, "wall_time_ms": 4000})
        self.assertEqual((result["stdout"], result["limits"]["wall_time_ms"]), ("123", 4000))
        self.assertEqual(self.shelves()["bash"]["hits"], before["hits"] + 1)

    def test_one_that_died_is_not_handed_out(self):
        """All that wait are killed behind the daemon's back: every job after it is right all the same."""
        jails = children_of(self.daemon.jailer_pid)
        for jail in jails:
            os.kill(jail, signal.SIGKILL)
        wait_until(lambda: not any(map(is_alive, jails)), 10, "all of them are dead")
        for number in range(12):
            self.assert_completed(self.run_code("bash", f"echo {number}"), f"{number}\n")
        self.assert_completed(self.run_code("python", "print(2)"), "2\n")
        self.assert_completed(self.run_code("node", "console.log(3)"), "3\n")

    def test_waiting_is_not_the_jobs(self):
        """Starting node takes a tenth of a second of CPU: a job in a primed jail is charged for its own part only."""
        cold = self.run_code("node", "1", limits={"pids": 31})
        primed = self.run_code("node", "1")
        self.assertLess(primed["cpu_time_ms"], cold["cpu_time_ms"])

    def test_no_two_jobs_share_random_state(self):
        programs = {"python": "import random; print(random.random(), hash('a'), id(object()))",
                    "node": "console.log(Math.random(), require('crypto').randomUUID())",
                    "bash": "echo $RANDOM$RANDOM$RANDOM"}
        for language, code in programs.items():
            with self.subTest(language):
                outputs = [self.run_code(language, code)["stdout"] for _ in range(6)]
                self.assertEqual(len(set(outputs)), len(outputs))

    def test_the_quota_is_the_jobs_from_the_first_moment(self):
        result = self.run_code("python", "while True: pass", limits={"wall_time_ms": 2000})
        self.assertEqual(result["status"], "timeout")
        self.assertLess(result["cpu_time_ms"], 1500)


class WithoutPrimed(ApiTest):
    def setUp(self):
        super().setUp()
        self.daemon = self.enterContext(Daemon("[pool]\nprimed_memory_bytes = 0\n"))

    def test_none_are_kept_and_jobs_run(self):
        self.assert_completed(self.run_code("python", "print(1)"), "1\n")
        self.assertEqual({one["target"] for one in self.daemon.health()["pool"]["primed"]}, {0})
        # Dead when the caller is answered, and reaped with the removal of its groups.
        wait_until(lambda: not children_of(self.daemon.jailer_pid), 10, "nothing of the jail is left")

    def test_afterwards_nothing_is_held(self):
        """The daemon's and jailer's descriptors after two hundred jobs are those after the first."""
        pids = (self.daemon.pid, self.daemon.jailer_pid)

        def held():
            return [open_descriptors(pid) for pid in pids]

        side_by_side(lambda _: self.run_code("bash", "echo hi"), range(32), 16)
        self.assert_idle()
        before = held()
        side_by_side(lambda _: self.run_code("bash", "echo hi"), range(200), 16)
        self.assert_idle()
        # The connections of the last answers may be closing still.
        wait_until(lambda: all(now <= then for now, then in zip(held(), before)), 10,
                   f"no more descriptors than {before}")
