"""A job ends with its client, its daemon and its jailer; a daemon ends cleanly and starts again."""

import os
import pathlib
import signal
import tempfile
import threading

from api.base import ApiTest, Stopwatch, job, module_daemon, side_by_side, unique_seconds
from support.daemon import Daemon
from support.process import cgroups_of, is_alive, processes_with, wait_until

setUpModule, tearDownModule = module_daemon()


class RunningJob:
    """A job that sleeps in the jail, seen running before the test goes on; its answer comes into `response`."""
    def __init__(self, daemon, code="sleep {}; echo over"):
        self.daemon = daemon
        self.marker = unique_seconds()
        self.connection = daemon.connect()
        self.connection.send_request("POST", "/api/v1/execute", job("bash", code.format(self.marker)))
        wait_until(lambda: processes_with(self.marker), 10, "the job's process runs")
        # Written while the program starts.
        (card, ) = wait_until(lambda: list((daemon.state_dir / "jobs").glob("*.json")), 10, "its card is there")
        self.job_id = card.stem

    def answer(self):
        """The response. The connection is closed, as clients do: the daemon waits a while for that when it ends."""
        response = self.connection.read_response_or_end()
        self.connection.close()
        return response

    def is_gone(self):
        return not processes_with(self.marker)

    def assert_nothing_left(self, test):
        test.assertEqual(processes_with(self.marker), [])
        test.assertEqual(cgroups_of(self.job_id), [])


class Clients(ApiTest):
    def test_a_client_that_leaves_ends_its_job(self):
        """Closing, resetting and half-closing all count as leaving, with one answerless job each."""
        for way in ("close", "reset", "half_close"):
            with self.subTest(way):
                running = RunningJob(self.daemon, "trap '' TERM HUP; sleep {0} & setsid sleep {0} & wait")
                self.assertNotEqual(cgroups_of(running.job_id), [])
                getattr(running.connection, way)()
                wait_until(running.is_gone, 4, "the job's processes are ended")
                self.assert_idle()
                running.assert_nothing_left(self)
                summary = self.daemon.state_dir / "terminations" / f"{running.job_id}.json"
                self.assertIn('"cancelled"', summary.read_text(encoding="utf-8"))
                running.connection.close()

    def test_many_that_leave_at_once(self):
        markers = [unique_seconds() for _ in range(16)]
        connections = [self.daemon.connect() for _ in markers]
        for connection, marker in zip(connections, markers):
            connection.send_request("POST", "/api/v1/execute", job("bash", f"sleep {marker}"))
        wait_until(lambda: all(map(processes_with, markers)), 20, "all sixteen run")
        for connection in connections:
            connection.reset()
        wait_until(lambda: not any(map(processes_with, markers)), 4, "all sixteen are ended")
        self.assert_idle()

    def test_a_client_that_leaves_just_before_the_answer(self):
        """The race of leaving and ending: whoever wins, the slot is free and nothing is left."""
        def leave(number):
            with self.daemon.connect() as connection:
                connection.send_request("POST", "/api/v1/execute", job("bash", "true"))
                connection.socket.settimeout(0.001 * (number % 40) + 0.001)
                try:
                    connection.socket.recv(1)
                except TimeoutError:
                    pass
                connection.reset()

        side_by_side(leave, range(200), 8)
        self.assert_idle()


class Ending(ApiTest):
    def test_sigterm_lets_running_jobs_finish(self):
        with Daemon() as daemon:
            running = RunningJob(daemon, "sleep {} & sleep 1.5; echo over")
            daemon.process.send_signal(signal.SIGTERM)
            response = running.answer()
            self.assert_completed(response.json, "over\n")
            daemon.wait_for_exit(0)
            running.assert_nothing_left(self)
            self.assertEqual(list((daemon.state_dir / "jobs").iterdir()), [])

    def test_sigterm_ends_jobs_after_the_grace_and_answers_them(self):
        with Daemon("[server]\nshutdown_grace_ms = 300\n") as daemon:
            running = RunningJob(daemon, "trap '' TERM; echo early; sleep {}")
            idle = daemon.connect()
            with Stopwatch() as watch:
                daemon.process.send_signal(signal.SIGTERM)
                response = running.answer()
                daemon.wait_for_exit(0)
            self.assertLess(watch.seconds, 4)
            self.assertEqual(response.status, 200, response)
            self.assert_ended(response.json, "cancelled", 137, "SIGKILL")
            self.assertEqual(response.json["stdout"], "early\n")
            self.assertTrue(idle.is_closed_by_peer())
            running.assert_nothing_left(self)

    def test_sigterm_answers_those_who_wait_for_a_slot(self):
        with Daemon("[server]\nshutdown_grace_ms = 300\n[pool]\nslots = 1\n") as daemon:
            running = RunningJob(daemon)
            waiting = daemon.connect()
            waiting.send_request("POST", "/api/v1/execute", job("bash", "true"))
            wait_until(lambda: daemon.health()["pool"]["waiting"] == 1, 10, "one waits")
            daemon.process.send_signal(signal.SIGTERM)
            self.assert_error(waiting.read_response(), 503)
            waiting.close()
            self.assertEqual(running.answer().status, 200)
            daemon.wait_for_exit(0)

    def test_new_requests_are_refused_while_it_ends(self):
        with Daemon() as daemon:
            kept = daemon.connect()
            kept.send_request("GET", "/health")
            self.assertEqual(kept.read_response().status, 200)
            running = RunningJob(daemon, "sleep {} & sleep 1.5; echo over")
            daemon.process.send_signal(signal.SIGTERM)
            wait_until(lambda: self._refuses(daemon), 5, "new connections are refused")
            self.assert_completed(running.answer().json, "over\n")
            self.assertTrue(kept.is_closed_by_peer())
            daemon.wait_for_exit(0)

    def _refuses(self, daemon):
        try:
            return daemon.execute(job("bash", "true")).status == 503
        except (OSError, AssertionError):
            return True

    def test_a_second_signal_ends_it_at_once(self):
        with Daemon() as daemon:
            running = RunningJob(daemon)
            with Stopwatch() as watch:
                daemon.process.send_signal(signal.SIGTERM)
                wait_until(lambda: self._refuses(daemon), 5, "the first signal is seen")
                daemon.process.send_signal(signal.SIGTERM)
                daemon.process.wait(10)
            daemon.wait_for_exit(daemon.process.returncode)
            self.assertLess(watch.seconds, 4)
            wait_until(running.is_gone, 4, "the job's processes are ended")

    def test_sigint_is_as_good(self):
        with Daemon() as daemon:
            daemon.process.send_signal(signal.SIGINT)
            daemon.wait_for_exit(0)

    def test_other_signals_do_not_end_it(self):
        for number in (signal.SIGPIPE, signal.SIGCHLD, signal.SIGURG):
            self.daemon.process.send_signal(number)
        self.assert_completed(self.run_code("bash", "echo alive"), "alive\n")


class Accidents(ApiTest):
    def test_a_killed_daemon_takes_its_jails_along(self):
        with Daemon() as daemon:
            running = RunningJob(daemon, "trap '' TERM HUP; sleep {0} & setsid sleep {0} & wait")
            keeper, jailer = daemon.keeper_pid, daemon.jailer_pid
            os.kill(daemon.pid, signal.SIGKILL)
            daemon.kill()
            wait_until(lambda: not is_alive(jailer) and not is_alive(keeper), 5, "jailer and keeper end")
            wait_until(running.is_gone, 4, "the job's processes are ended")
            wait_until(lambda: not cgroups_of(running.job_id), 4, "the job's groups are removed")

    def test_a_start_after_an_accident_clears_the_cards(self):
        with tempfile.TemporaryDirectory(prefix="outrigger-test-") as state:
            with Daemon(state_dir=state) as daemon:
                running = RunningJob(daemon)
                daemon.kill()
                wait_until(running.is_gone, 4, "the job's processes are ended")
            with Daemon(state_dir=state) as daemon:
                self.assertEqual(list((daemon.state_dir / "jobs").iterdir()), [])
                self.assert_completed(self.execute(job("bash", "echo again"), daemon), "again\n")

    def test_two_daemons_do_not_share_a_state_directory(self):
        second = Daemon(state_dir=self.daemon.state_dir)
        try:
            second.spawn()
            second.wait_for_exit(1, timeout=15)
            self.assertIn(str(self.daemon.state_dir), second.stderr_text())
        finally:
            second.__exit__(None, None, None)
        self.assert_completed(self.run_code("bash", "echo first"), "first\n")

    def test_two_daemons_with_directories_of_their_own_run_side_by_side(self):
        with Daemon() as other:
            thread = threading.Thread(target=side_by_side,
                                      args=(lambda n: self.run_code("bash", "sleep 0.2"), range(16), 8))
            thread.start()
            for number in range(10):
                self.assert_completed(self.execute(job("bash", f"echo {number}"), other), f"{number}\n")
            thread.join()


class State(ApiTest):
    def test_everything_written_is_below_the_state_directory(self):
        """And nothing in it is open to everybody."""
        with Daemon() as daemon:
            self.run_code("bash", "true", daemon)
            found = {str(path.relative_to(daemon.state_dir)).split(os.sep)[0] for path in daemon.state_dir.rglob("*")}
            self.assertLessEqual({"jobs", "terminations"}, found)
            for path in [daemon.state_dir / "jobs", *daemon.state_dir.rglob("*")]:
                self.assertEqual(path.stat().st_mode & 0o002, 0, f"{path} may be written by anybody")

    def test_the_daemon_holds_no_privilege(self):
        """Neither its ids nor its capability sets, nor a way back."""
        status = pathlib.Path(f"/proc/{self.daemon.pid}/status").read_text(encoding="utf-8")
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        for name in ("CapInh", "CapPrm", "CapEff", "CapAmb", "CapBnd"):
            self.assertEqual(int(fields[name], 16), 0, name)
        self.assertNotIn("0", fields["Uid"].split() + fields["Gid"].split())
        self.assertEqual((fields["NoNewPrivs"].strip(), fields.get("Groups", "").strip()), ("1", ""))
