"""Several jobs in one request: each its own result or error, in their order, under the same slots."""

from api.base import ApiTest, job, module_daemon, unique_seconds
from api.results import assert_well_formed
from support.daemon import Daemon
from support.process import processes_with, wait_until

setUpModule, tearDownModule = module_daemon()


class Batch(ApiTest):
    def batch(self, jobs, daemon=None):
        response = (daemon or self.daemon).request("POST", "/api/v1/batch", {"jobs": jobs})
        self.assertEqual(response.status, 200, response)
        results = response.json["results"]
        self.assertEqual(len(results), len(jobs))
        for result in results:
            if "error" not in result:
                assert_well_formed(self, result)
        return results

    def test_results_come_in_the_order_of_the_jobs(self):
        """64 of them, of which the first ends last."""
        jobs = [job("bash", f"sleep {0.5 if number == 0 else 0}; echo {number}") for number in range(64)]
        results = self.batch(jobs)
        self.assertEqual([result["stdout"] for result in results], [f"{number}\n" for number in range(64)])
        self.assertEqual(len({result["job_id"] for result in results}), 64)
        self.assert_idle()

    def test_what_is_wrong_with_one_is_its_own_error(self):
        results = self.batch([job("python", "print(1)"), job("python", ""), job("cobol", "x"), "text",
                              job("bash", "exit 3"), job("bash", "true", limits={"pids": 0}),
                              job("bash", "true", colect=[])])
        self.assertEqual([result.get("status") for result in results],
                         ["completed", None, None, None, "failed", None, None])
        self.assertEqual([result["error"]["field"] for result in results if "error" in result],
                         ["code", "language", None, "limits.pids", "colect"])

    def test_each_ends_as_it_would_by_itself(self):
        results = self.batch([
            job("bash", "sleep 60", limits={"wall_time_ms": 200}),
            job("python", "import socket; socket.socket()"),
            job("python", "x = bytearray(10**9)"),
            job("node", "console.log(process.argv[2])", args=["a"]),
            job("bash", "cat", stdin="in\n"),
        ])
        self.assertEqual([result["status"] for result in results],
                         ["timeout", "security_violation", "memory_exceeded", "completed", "completed"])
        self.assertEqual([result["stdout"] for result in results[3:]], ["a\n", "in\n"])

    def test_a_malformed_batch_runs_nothing(self):
        one = job("bash", "true")
        for body, field in (({}, "jobs"), ({"jobs": []}, "jobs"), ({"jobs": [one] * 65}, "jobs"), ({"jobs": {}}, "jobs"),
                            ({"jobs": [one], "more": 1}, "more"), ({"jobs": None}, "jobs"), ("[]", None)):
            response = self.daemon.request("POST", "/api/v1/batch", body)
            self.assert_error(response, 400, "invalid_request", field)
        response = self.daemon.request("POST", "/api/v1/batch", {"jobs": [one]}, {"Idempotency-Key": "k"})
        self.assert_error(response, 400, field="Idempotency-Key")

    def test_it_takes_half_of_the_slots_and_leaves_the_rest(self):
        with Daemon(config="[pool]\nslots = 4\n") as daemon, daemon.connect() as connection:
            marker = unique_seconds(3)
            jobs = [job("bash", f"sleep {marker}", limits={"wall_time_ms": 4000})] * 4
            connection.send_request("POST", "/api/v1/batch", {"jobs": jobs})
            wait_until(lambda: daemon.health()["pool"]["running"] == 2, 10, "two of them run")
            self.assert_completed(self.run_code("bash", "echo beside", daemon), "beside\n")
            # The slot of a job that has been answered is free a moment later.
            wait_until(lambda: daemon.health()["pool"]["running"] == 2, 2, "the batch has not taken more meanwhile")

    def test_a_client_that_leaves_ends_all_of_them(self):
        self.assert_idle()
        marker = unique_seconds()
        with self.daemon.connect() as connection:
            connection.send_request("POST", "/api/v1/batch", {"jobs": [job("bash", f"sleep {marker}")] * 20})
            wait_until(lambda: self.daemon.health()["pool"]["running"] == 8, 10, "half of the slots are taken")
        wait_until(lambda: not processes_with(marker), 10, "none of them runs any more")
        self.assert_idle()
