"""The ground every API test stands on: one daemon a module, and the checks that hold for every answer."""

import concurrent.futures
import random
import signal
import time
import unittest

from api.results import assert_well_formed, brief
from support.daemon import Daemon
from support.process import wait_until

LANGUAGES = ("python", "node", "bash")
# Described, and built only when asked for by name: there or not, nothing may depend on it.
ON_DEMAND = ("c", "cpp", "go", "java", "lua", "perl", "php", "python-data", "ruby", "rust")
# No test may hang the suite: each ends by this many seconds, with a traceback where it stood.
_TEST_SECONDS = 150


class ApiTest(unittest.TestCase):
    """Talks to `self.daemon`, which setUpModule started for all tests of the module."""

    maxDiff = 4000
    daemon: Daemon = None

    def setUp(self):
        signal.signal(signal.SIGALRM, _give_up)
        signal.alarm(_TEST_SECONDS)
        self.addCleanup(signal.alarm, 0)
        if self.daemon is not None and self.daemon.process.poll() is not None:
            self.fail(f"the daemon died with {self.daemon.process.returncode}:\n{self.daemon.stderr_text()}")

    # -- asking ------------------------------------------------------------------------------------------------------

    def execute(self, body, daemon=None, **options):
        """Runs a request that must be accepted and returns its result, checked against the contract's form."""
        response = (daemon or self.daemon).execute(body, **options)
        self.assertEqual(response.status, 200, response)
        assert_well_formed(self, response.json)
        return response.json

    def run_code(self, language, code, daemon=None, **fields):
        return self.execute(job(language, code, **fields), daemon)

    def run_all(self, cases, at_once=4):
        """run_code for each (language, code, fields) of `cases`, side by side; the results in their order."""
        def one(case):
            language, code, fields = case
            return self.run_code(language, code, **fields)

        return side_by_side(one, cases, at_once)

    # -- judging -----------------------------------------------------------------------------------------------------

    def assert_completed(self, result, stdout=None, stderr=None):
        self.assertEqual((result["status"], result["exit_code"]), ("completed", 0), brief(result))
        if stdout is not None:
            self.assertEqual(result["stdout"], stdout)
        if stderr is not None:
            self.assertEqual(result["stderr"], stderr)

    def assert_ended(self, result, status, exit_code=None, signal_name=None):
        found = (result["status"], result["exit_code"], result["signal"])
        self.assertEqual(found, (status, exit_code, signal_name), brief(result))

    def assert_error(self, response, status, code=None, field=None):
        """An error as the contract words it: JSON, a code, a sentence, the field to blame or null."""
        statuses = status if isinstance(status, tuple) else (status, )
        self.assertIn(response.status, statuses, response)
        self.assertEqual(response.headers.get("content-type", "").split(";")[0], "application/json", response)
        self.assertEqual(set(response.json), {"error"}, response)
        error = response.json["error"]
        self.assertEqual(set(error), {"code", "message", "field"}, response)
        self.assertRegex(error["code"], r"\A[a-z][a-z0-9_]*\Z")
        self.assertGreater(len(error["message"]), 5, response)
        self.assertNotIn("<html", response.raw.decode().lower())
        if code is not None:
            self.assertEqual(error["code"], code, response)
        if field is not None:
            self.assertEqual(error["field"], field, response)
        return error

    def assert_refused(self, body, status=400, field=None, daemon=None):
        """A request that is refused before anything ran."""
        response = (daemon or self.daemon).execute(body)
        return self.assert_error(response, status, "invalid_request" if status == 400 else None, field)

    def assert_idle(self, daemon=None):
        """Every slot is free, and at once or very soon: a leaving client's job takes a moment to end."""
        daemon = daemon or self.daemon
        wait_until(lambda: (daemon.health()["pool"]["running"], daemon.health()["pool"]["waiting"]) == (0, 0), 10,
                   "all slots are free again")
        self.assertEqual(list((daemon.state_dir / "jobs").iterdir()), [])


def job(language, code, **fields):
    return {"tenant_id": "test", "language": language, "code": code, **fields}


def side_by_side(function, cases, at_once=4):
    """`function` of each case, `at_once` at a time in threads; the first exception is raised."""
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(function, cases))


def unique_seconds(least=30):
    """A sleep's duration that no other process on the machine has in its command line."""
    return f"{least}.{random.randrange(10**11, 10**12)}"


class Stopwatch:
    """How long a block took: `with Stopwatch() as watch: …; watch.seconds`."""
    def __enter__(self):
        self._start = time.monotonic()
        self.seconds = None
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self._start


def module_daemon(**options):
    """setUpModule and tearDownModule for a module whose tests share a daemon."""
    def set_up():
        ApiTest.daemon = Daemon(**options).__enter__()

    def tear_down():
        daemon, ApiTest.daemon = ApiTest.daemon, None
        daemon.__exit__(None, None, None)

    return set_up, tear_down


def _give_up(*_):
    raise TimeoutError(f"the test took more than {_TEST_SECONDS} s")
