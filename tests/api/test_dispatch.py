"""The switch that the auditor and the operator hold: dispatch paused, dispatch open."""

import threading

from api.base import ApiTest, job, module_daemon
from support.process import wait_until

setUpModule, tearDownModule = module_daemon()

GOOD = job("bash", "echo ok")


class Dispatch(ApiTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.put, {"paused": False})

    def put(self, body):
        return self.daemon.request("PUT", "/api/v1/dispatch", body)

    def get(self):
        response = self.daemon.request("GET", "/api/v1/dispatch")
        self.assertEqual(response.status, 200, response)
        self.assertEqual(set(response.json), {"paused", "reason"}, response)
        return response.json

    def test_is_open_at_first(self):
        self.assertFalse(self.get()["paused"])

    def test_pause_and_resume(self):
        response = self.put({"paused": True, "reason": "host memory at 66 % é"})
        self.assertEqual((response.status, response.json), (200, {"paused": True, "reason": "host memory at 66 % é"}))
        self.assertEqual(self.get(), {"paused": True, "reason": "host memory at 66 % é"})
        self.assertEqual(self.daemon.health()["dispatch"], {"paused": True, "reason": "host memory at 66 % é"})
        refused = self.daemon.execute(GOOD)
        error = self.assert_error(refused, 503, "dispatch_paused")
        self.assertIn("host memory", error["message"])
        self.assertIn(int(refused.headers["retry-after"]), range(1, 601))
        self.assertEqual(self.put({"paused": False}).status, 200)
        self.assertFalse(self.get()["paused"])
        self.assert_completed(self.execute(GOOD), "ok\n")

    def test_running_jobs_go_on(self):
        self.assert_idle()
        results = []
        thread = threading.Thread(target=lambda: results.append(self.run_code("bash", "sleep 1; echo over")))
        thread.start()
        wait_until(lambda: self.daemon.health()["pool"]["running"] == 1, 10, "the job runs")
        self.put({"paused": True})
        self.assert_error(self.daemon.execute(GOOD), 503, "dispatch_paused")
        thread.join()
        self.assert_completed(results[0], "over\n")

    def test_a_bad_request_is_bad_while_paused_too(self):
        self.put({"paused": True})
        self.assert_refused(job("bash", ""), 400, "code")

    def test_twice_is_as_once(self):
        for _ in range(2):
            self.assertEqual(self.put({"paused": True, "reason": "x"}).status, 200)
        for _ in range(2):
            self.assertEqual(self.put({"paused": False}).status, 200)
        self.assert_completed(self.execute(GOOD), "ok\n")

    def test_what_is_no_order_changes_nothing(self):
        for body, field in (({}, "paused"), ({"paused": "true"}, "paused"), ({"paused": 1}, "paused"),
                            ({"paused": None}, "paused"), ({"paused": True,
                                                            "why": "x"}, "why"), ({"paused": True,
                                                                                   "reason": 5}, "reason"),
                            ({"paused": True,
                              "reason": "x" * 100000}, "reason"), ('{"paused": true, "paused": true}', "paused"),
                            ('{"paused": true, "reason": "\\ud800"}',
                             "reason"), ("[]", None), ("true", None), ("", None), ("{", None), ("[" * 100000, None)):
            with self.subTest(str(body)[:60]):
                self.assert_error(self.put(body), 400, "invalid_request", field)
                self.assertFalse(self.get()["paused"])
