"""The jailer dies: its jobs are told, the daemon goes on with another, and nothing of the old one is left.

The keeper is stopped (SIGSTOP) where a test looks at the time between two jailers: so that time is as long as it likes.
"""

import contextlib
import os
import pathlib
import signal

from api.base import LANGUAGES, ApiTest, job, module_daemon
from api.results import assert_well_formed
from support.daemon import Daemon
from support.host_state import group_of, snapshot
from support.process import (cgroups_of, child_named, children_of, descendants_of, is_alive, open_descriptors,
                             processes_with, wait_until)

# No job ends, and none gives up waiting, because the machine is slow.
_LONG_JOBS = "[ceilings]\nwall_time_ms = 100000\n"
_PATIENT = _LONG_JOBS + "[pool]\nacquire_timeout_ms = 60000\n"
_NOTHING_PRIMED = _PATIENT + "primed_memory_bytes = 0\n"
_IMPATIENT = "[pool]\nacquire_timeout_ms = 200\nprimed_memory_bytes = 0\n"

setUpModule, tearDownModule = module_daemon(config=_PATIENT)

_SLEEPERS = {"python": "import subprocess; print('early', flush=True); subprocess.run(['sleep', '{}'])",
             "node": "console.log('early'); require('child_process').spawnSync('sleep', ['{}'])",
             "bash": "echo early; setsid sleep {} & wait"}
_HELLO = {"python": "print('hello')", "node": "console.log('hello')", "bash": "echo hello"}
_DEATHS = 5  # one that leaves a descriptor would show after the first


class Sleeper:
    """A job whose program has started and sleeps; its answer comes into `answer()`."""
    _count = 0

    def __init__(self, daemon, language):
        Sleeper._count += 1
        self.marker = f"100.{os.getpid()}{Sleeper._count:06}"
        self._connection = daemon.connect()
        self._connection.send_request("POST", "/api/v1/execute", job(language, _SLEEPERS[language].format(self.marker),
                                                                   limits={"wall_time_ms": 100000}))
        wait_until(self.runs, 20, f"the {language} job sleeps")

    def runs(self):
        return bool(processes_with(self.marker))

    def answer(self):
        response = self._connection.read_response()
        self._connection.close()
        return response


def groups_of(pids):
    return {name for pid in pids if (name := group_of(pid))}


class JailerTest(ApiTest):
    def assert_all_languages_run(self, daemon):
        for language in LANGUAGES:
            self.assert_completed(self.run_code(language, _HELLO[language], daemon), "hello\n")

    def assert_told_of_the_death(self, response):
        self.assertEqual(response.status, 200, response)
        assert_well_formed(self, response.json)
        self.assert_ended(response.json, "internal_error")
        self.assertEqual(response.json["cause"]["code"], "jailer_died")
        self.assertIn("the jailer died", response.json["cause"]["text"])

    @contextlib.contextmanager
    def between_two_jailers(self, daemon):
        """The jailer dead and the daemon aware of it, until the block ends."""
        os.kill(daemon.keeper_pid, signal.SIGSTOP)
        try:
            dead = daemon.kill_jailer()
            wait_until(lambda: daemon.health()["status"] == "unready", 20, "the daemon is aware of it")
            yield dead
        finally:
            os.kill(daemon.keeper_pid, signal.SIGCONT)


class Deaths(JailerTest):
    def setUp(self):
        super().setUp()
        self.await_primed()

    def await_primed(self):
        """Some stand ready of each runtime that is to have some."""
        def ready():
            shelves = self.daemon.health()["pool"]["primed"]
            return all(shelf["ready"] > 0 for shelf in shelves if shelf["target"] > 0)

        wait_until(ready, 60, "jails stand primed")

    def test_running_jobs_are_told_and_nothing_of_them_is_left(self):
        mounts = self.mounts()
        sleepers = [Sleeper(self.daemon, language) for language in LANGUAGES for _ in range(3)]
        old = descendants_of(self.daemon.jailer_pid)
        groups = groups_of(old)
        self.assertTrue(any(name.startswith("template-") for name in groups), groups)
        dead = self.daemon.kill_jailer()
        answers = [sleeper.answer() for sleeper in sleepers]
        for answer in answers:
            self.assert_told_of_the_death(answer)
            self.assertEqual(answer.json["stdout"], "early\n")
            summary = self.daemon.state_dir / "terminations" / f"{answer.json['job_id']}.json"
            self.assertIn('"jailer_died"', summary.read_text(encoding="utf-8"))
        self.daemon.await_jailer_after(dead)
        # All at once and without waiting: the keeper starts another when nothing is left, and not before.
        self.assertFalse(any(sleeper.runs() for sleeper in sleepers))
        self.assertEqual([pid for pid in old if is_alive(pid)], [])
        self.assertEqual([path for name in groups for path in cgroups_of(name)], [])
        self.assertEqual(children_of(self.daemon.keeper_pid), {self.daemon.jailer_pid})
        self.assertEqual(self.mounts(), mounts)
        self.assert_all_languages_run(self.daemon)
        self.await_primed()
        self.assert_idle()

    def mounts(self):
        kept = snapshot(self.daemon, uids=(), primed=True).kept
        return {what: things for what, things in kept.items() if what.startswith("mounts")}

    def test_an_idle_one_is_replaced(self):
        dead = self.daemon.kill_jailer()
        self.daemon.await_jailer_after(dead)
        self.assert_all_languages_run(self.daemon)
        self.await_primed()

    def test_primed_jails_are_made_again(self):
        """And not a job is handed to one that is dead."""
        dead = self.daemon.kill_jailer()
        self.daemon.await_jailer_after(dead)
        self.await_primed()
        before = {shelf["runtime"]: shelf["hits"] for shelf in self.daemon.health()["pool"]["primed"]}
        self.assert_all_languages_run(self.daemon)
        after = {shelf["runtime"]: shelf["hits"] for shelf in self.daemon.health()["pool"]["primed"]}
        self.assertEqual({name: after[name] - before[name] for name in LANGUAGES}, dict.fromkeys(LANGUAGES, 1))

    def test_deaths_in_quick_succession(self):
        """Each is killed as soon as it is there; after some, the daemon tells that it is no use."""
        def kill_the_next():
            pid = child_named(self.daemon.keeper_pid, "outrigger-jailer")
            if pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return any("times in a row" in reason for reason in self.daemon.health()["reasons"])

        wait_until(kill_the_next, 60, "the daemon says that jailers die one after the other")
        health = self.daemon.health()
        self.daemon.await_jailer_after(None)
        self.assertEqual(self.daemon.health()["reasons"], [], health)
        self.assert_all_languages_run(self.daemon)

    def test_its_ids_stay_leased_meanwhile(self):
        leases = self.leases()
        self.assertTrue(leases)
        with self.between_two_jailers(self.daemon) as dead:
            self.assertEqual(self.leases(), leases)
        self.daemon.await_jailer_after(dead)
        self.assertEqual(self.leases(), leases)

    def leases(self):
        """Name and inode of each bound socket that stands for a range of ids and is the keeper's."""
        fields = [line.split() for line in pathlib.Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()]
        bound = {line[6]: line[7] for line in fields if len(line) == 8 and line[7].startswith("@outrigger/ids/")}
        directory = pathlib.Path(f"/proc/{self.daemon.keeper_pid}/fd")
        held = {os.readlink(fd).removeprefix("socket:[").rstrip("]") for fd in directory.iterdir()}
        return {inode: name for inode, name in bound.items() if inode in held}


class BetweenTwo(JailerTest):
    def test_jobs_wait_for_the_next(self):
        with Daemon(_PATIENT) as daemon:
            waiting = [daemon.connect() for _ in LANGUAGES]
            with self.between_two_jailers(daemon) as dead:
                for connection, language in zip(waiting, LANGUAGES):
                    connection.send_request("POST", "/api/v1/execute", job(language, _HELLO[language]))
                wait_until(lambda: daemon.health()["pool"]["running"] == len(LANGUAGES), 20, "they wait")
                health = daemon.request("GET", "/health")
                self.assertEqual(health.status, 503)
                self.assertIn("the jailer has died; another is being started", health.json["reasons"])
                metrics = daemon.request("GET", "/metrics").raw.decode()
                self.assertIn("\noutrigger_jailer_up 0\n", metrics)
            for connection in waiting:
                self.assert_completed(connection.read_response().json, "hello\n")
                connection.close()
            daemon.await_jailer_after(dead)

    def test_they_do_not_wait_for_ever(self):
        with Daemon(_IMPATIENT) as daemon:
            with self.between_two_jailers(daemon) as dead:
                response = daemon.execute(job("bash", "echo hello"))
                self.assert_error(response, 503, "system_failure")
                self.assertIn("retry-after", response.headers)
                self.assert_idle(daemon)
            daemon.await_jailer_after(dead)
            self.assert_all_languages_run(daemon)

    def test_who_leaves_gives_up_the_slot(self):
        with Daemon(_NOTHING_PRIMED) as daemon:
            with self.between_two_jailers(daemon) as dead:
                leaving = daemon.connect()
                leaving.send_request("POST", "/api/v1/execute", job("bash", "echo hello"))
                wait_until(lambda: daemon.health()["pool"]["running"] == 1, 20, "it waits")
                leaving.close()
                self.assert_idle(daemon)
            daemon.await_jailer_after(dead)

    def test_sigterm_ends_the_daemon_cleanly(self):
        with Daemon(_PATIENT) as daemon:
            waiting = daemon.connect()
            with self.between_two_jailers(daemon):
                waiting.send_request("POST", "/api/v1/execute", job("bash", "echo hello"))
                wait_until(lambda: daemon.health()["pool"]["running"] == 1, 20, "it waits")
                daemon.process.send_signal(signal.SIGTERM)
                self.assert_error(waiting.read_response(), 503, "shutting_down")
                waiting.close()
            daemon.wait_for_exit(0)


class Ends(JailerTest):
    def test_sigterm_right_after_a_death(self):
        for language in LANGUAGES:
            with self.subTest(language), Daemon(_LONG_JOBS) as daemon:
                sleeper = Sleeper(daemon, language)
                keeper = daemon.keeper_pid
                daemon.kill_jailer()
                daemon.process.send_signal(signal.SIGTERM)
                self.assert_told_of_the_death(sleeper.answer())
                daemon.wait_for_exit(0)
                self.assertFalse(is_alive(keeper))
                self.assertFalse(sleeper.runs())

    def test_a_daemon_killed_right_after_leaves_nothing(self):
        with Daemon(_LONG_JOBS) as daemon:
            sleeper = Sleeper(daemon, "bash")
            old = descendants_of(daemon.pid)
            groups = groups_of(descendants_of(daemon.jailer_pid))
            daemon.kill_jailer()
            daemon.kill()
            wait_until(lambda: not any(map(is_alive, old)), 10, "keeper, jailer and jails end")
            self.assertFalse(sleeper.runs())
            wait_until(lambda: not any(map(cgroups_of, groups)), 10, "their groups are removed")

    def test_without_its_keeper_the_daemon_ends_and_lets_jobs_finish(self):
        with Daemon("[server]\nshutdown_grace_ms = 10000\n") as daemon:
            with daemon.connect() as connection:
                connection.send_request("POST", "/api/v1/execute", job("bash", "sleep 1; echo over"))
                wait_until(lambda: daemon.health()["pool"]["running"] == 1, 10, "it runs")
                os.kill(daemon.keeper_pid, signal.SIGKILL)
                self.assert_completed(connection.read_response().json, "over\n")
            daemon.wait_for_exit(1)
            self.assertIn("keeper_died", daemon.stderr_text())

    def test_keeper_and_jailer_at_once_are_no_silent_end(self):
        with Daemon(_LONG_JOBS) as daemon:
            sleeper = Sleeper(daemon, "bash")
            groups = groups_of(descendants_of(daemon.jailer_pid))
            for pid in (daemon.keeper_pid, daemon.jailer_pid):
                os.kill(pid, signal.SIGKILL)
            self.assert_told_of_the_death(sleeper.answer())
            daemon.wait_for_exit(1)
            wait_until(lambda: not sleeper.runs(), 10, "the job's processes are ended")
        with Daemon():
            self.assertEqual([path for name in groups for path in cgroups_of(name)], [])


class Many(JailerTest):
    def test_deaths_leave_no_descriptor(self):
        with Daemon(_NOTHING_PRIMED) as daemon:
            def one_death():
                sleeper = Sleeper(daemon, "bash")
                dead = daemon.kill_jailer()
                self.assert_told_of_the_death(sleeper.answer())
                daemon.await_jailer_after(dead)
                # Longer than a jailer lives whose death makes the keeper slower.
                self.assert_completed(self.run_code("bash", "sleep 1.1; echo hello", daemon), "hello\n")
                self.assert_idle(daemon)

            def held():
                return [open_descriptors(pid) for pid in (daemon.pid, daemon.keeper_pid, daemon.jailer_pid)]

            one_death()
            before = held()
            for _ in range(_DEATHS):
                one_death()
            # The connections of the last answers may be closing still.
            wait_until(lambda: all(now <= then for now, then in zip(held(), before)), 10,
                       f"no more descriptors than {before}")
