"""What the chaos tests stand on: daemons on shared servers, jobs counted on their way in and out."""

import collections
import concurrent.futures
import contextlib
import signal
import tempfile
import threading
import unittest

from api.base import job
from support.daemon import Daemon
from support.http import ProtocolError
from support.postgres import PostgresServer
from support.process import children_of, is_alive, wait_until
from support.redis import RedisServer

# A line a fault, for the runner to print.
TABLE = []
# Short, so that what waits for a lease to run out does not wait long.
LEASE_MS = 2000
_TEST_SECONDS = 150
DEAD = "sandbox:jobs:dead"


def settings(node="n1", postgres=None, redis=None, more=""):
    """A configuration: nothing kept ready, since starting daemons is most of what these tests do."""
    text = f'node = "{node}"\n[pool]\nprimed_memory_bytes = 0\n'
    text += f"[queue]\nlease_ms = {LEASE_MS}\n"
    if redis:
        text += f'redis.url = "{redis.url}"\n'
    text += "[audit]\n"
    if postgres:
        text += f'postgres.url = "{postgres.url}"\n'
    return text + more


class Worker(Daemon):
    """A daemon that is killed, frozen and started again on what it has kept. `settings` as settings() makes them."""

    def __init__(self, config, state_dir=None, healthy=("ok", "degraded")):
        super().__init__(config=config, state_dir=state_dir, healthy=healthy)

    def die(self):
        """kill -9 of the daemon alone; what it had started must end by itself."""
        started = self._descendants()
        self._ended = True
        self.process.kill()
        self.process.wait()
        wait_until(lambda: not any(map(is_alive, started)), 20, "everything ends with the daemon")

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def _descendants(self):
        found, left = [], [self.pid]
        while left:
            children = children_of(left.pop())
            found += list(children)
            left += list(children)
        return found


class ChaosTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        signal.signal(signal.SIGALRM, self._give_up)
        signal.alarm(_TEST_SECONDS)
        self.addCleanup(signal.alarm, 0)
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)

    @staticmethod
    def _give_up(*_):
        raise TimeoutError(f"the test took more than {_TEST_SECONDS} s")

    # -- parts -------------------------------------------------------------------------------------------------------

    def postgres(self):
        return self.stack.enter_context(PostgresServer())

    def redis(self, **options):
        return self.stack.enter_context(RedisServer(**options))

    def worker(self, node="n1", **options):
        return self.stack.enter_context(Worker(settings(node, **options)))

    def directory(self):
        return self.stack.enter_context(tempfile.TemporaryDirectory(prefix="outrigger-chaos-"))

    # -- jobs --------------------------------------------------------------------------------------------------------

    def submit(self, daemon, count, code="true", language="bash", **fields):
        """Queues so many jobs, eight at a time; their ids. Every one must be accepted."""
        def one(_):
            response = daemon.request("POST", "/api/v1/jobs", job(language, code, **fields))
            self.assertEqual(response.status, 202, response)
            return response.json["job_id"]

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            return list(pool.map(one, range(count)))

    def wait_final(self, daemon, job_ids, seconds=90):
        """Waits until each has its result; these by id."""
        left, results = list(job_ids), {}

        def all_there():
            for job_id in list(left):
                response = daemon.request("GET", f"/api/v1/jobs/{job_id}")
                if response.status == 200 and response.json["state"] in ("finished", "dead"):
                    results[job_id] = response.json
                    left.remove(job_id)
            return not left

        wait_until(all_there, seconds, lambda: f"{len(left)} of {len(job_ids)} jobs have no result")
        return results

    # -- counting ----------------------------------------------------------------------------------------------------

    def account(self, fault, expected, rows, results=None, announced=None):
        """Submitted = rows = results, nothing twice. `rows`: job ids as the database has them."""
        expected = set(expected)
        tally = collections.Counter(rows)
        lost = expected - set(rows)
        doubled = [job_id for job_id, times in tally.items() if times > 1]
        if results is not None:
            lost |= expected - set(results)
        if announced is not None:
            doubled += [job_id for job_id, times in collections.Counter(announced).items() if times > 1]
        TABLE.append({"fault": fault, "jobs": len(expected), "rows": len(rows),
                      "results": "-" if results is None else len(results), "lost": len(lost),
                      "doubled": len(doubled)})
        self.assertEqual((lost, doubled), (set(), []), fault)
        self.assertEqual(set(rows), expected, fault)


def rows_in(postgres, column="job_id"):
    """A line a row; none where no daemon has made the table yet."""
    if not postgres.query("SELECT to_regclass('execution_runs')"):
        return []
    text = postgres.query(f"SELECT {column} FROM execution_runs")
    return text.splitlines() if text else []


def wait_for_rows(postgres, count, seconds=60):
    wait_until(lambda: len(rows_in(postgres)) >= count, seconds,
               lambda: f"{count} rows: there are {len(rows_in(postgres))}")


class Burst:
    """Direct requests, eight at a time, until it is told to stop: what was answered, by job id."""

    def __init__(self, daemon, code="true", language="bash"):
        self._daemon, self._job = daemon, job(language, code)
        self.answered = {}
        self.refused = 0
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(8)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def _run(self):
        while not self._stopping.is_set():
            try:
                response = self._daemon.execute(self._job)
            except (OSError, ProtocolError):
                self._stopping.wait(0.05)
                continue
            with self._lock:
                if response.status == 200:
                    self.answered[response.json["job_id"]] = response.json["status"]
                else:
                    self.refused += 1

    def wait_answered(self, more, seconds=60):
        target = len(self.answered) + more
        wait_until(lambda: len(self.answered) >= target, seconds, lambda: f"{len(self.answered)} of {target} answers")

    def stop(self):
        self._stopping.set()
        for thread in self._threads:
            thread.join(60)


class Announcements:
    """The ids that the channel sandbox:done has carried, while it is listened to."""

    def __init__(self, redis):
        self._connection = redis.connection()
        self._connection.command("SUBSCRIBE", "sandbox:done")
        self.ids = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with contextlib.suppress(OSError):
            while True:
                self.ids.append(self._connection.read()[2])
