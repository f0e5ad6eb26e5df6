"""The database goes away, the disk is full, the daemon dies: a row for every job all the same."""

import json
import signal
import subprocess
import threading

from api.base import job
from chaos.fleet import Burst, ChaosTest, Worker, rows_in, settings, wait_for_rows
from support.process import wait_until


class Database(ChaosTest):
    def test_down_at_the_start(self):
        postgres = self.postgres()
        postgres.stop()
        daemon = self.worker(postgres=postgres)
        with Burst(daemon) as burst:
            burst.wait_answered(100)
        health = daemon.health()
        self.assertEqual((health["status"], health["audit"]["available"]), ("degraded", False), health)
        self.assertIn("audit database", " ".join(health["reasons"]))
        self.assertEqual(daemon.request("GET", "/api/v1/runs").status, 503)
        postgres.start()
        wait_for_rows(postgres, len(burst.answered))
        wait_until(lambda: daemon.health()["status"] == "ok", 20, "health says ok again")
        self.account("database down at the start", burst.answered, rows_in(postgres))

    def in_mid_burst(self, fault, harm, mend):
        postgres = self.postgres()
        daemon = self.worker(postgres=postgres)
        with Burst(daemon) as burst:
            burst.wait_answered(100)
            harm(postgres)
            burst.wait_answered(200)
            mend(postgres)
            burst.wait_answered(100)
        wait_for_rows(postgres, len(burst.answered))
        self.account(f"database {fault} in mid-burst", burst.answered, rows_in(postgres))
        self.assertEqual(burst.refused, 0)

    def test_stopped_in_mid_burst(self):
        self.in_mid_burst("stopped", lambda it: it.stop(), lambda it: it.start())

    def test_killed_in_mid_burst(self):
        self.in_mid_burst("killed -9", lambda it: it.kill(), lambda it: it.start())

    def test_frozen_in_mid_burst(self):
        self.in_mid_burst("frozen (SIGSTOP)", lambda it: it.freeze(), lambda it: it.thaw())

    def test_the_daemon_ends_while_it_is_away(self):
        """What was not written is written by the next daemon on the same directory."""
        postgres = self.postgres()
        state = self.directory()
        with Worker(settings(postgres=postgres), state_dir=state) as first, Burst(first) as burst:
            burst.wait_answered(50)
            postgres.stop()
            burst.wait_answered(50)
            burst.stop()
        postgres.start()
        with Worker(settings(postgres=postgres), state_dir=state):
            wait_for_rows(postgres, len(burst.answered))
        self.account("database away, daemon restarted", burst.answered, rows_in(postgres))


class Disk(ChaosTest):
    """The state directory on a file system of its own, which is then filled."""

    def full_disk(self, when_full):
        postgres = self.postgres()
        state = self.directory()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "outrigger-chaos", state], check=True)
        self.stack.callback(subprocess.run, ["umount", "-l", state], check=True)
        daemon = self.stack.enter_context(
            Worker(settings(postgres=postgres, more=f'when_full = "{when_full}"\n'), state_dir=state))
        with Burst(daemon) as burst:
            burst.wait_answered(20)
        wait_for_rows(postgres, len(burst.answered))
        postgres.stop()
        filler = daemon.state_dir / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        return postgres, daemon, burst, filler

    def test_full_and_fails_open(self):
        postgres, daemon, burst, filler = self.full_disk("run")
        with Burst(daemon) as more:
            more.wait_answered(100)
        health = daemon.health()
        self.assertTrue(health["audit"]["spool_full"], health)
        self.assertEqual(health["audit"]["lost"], 0, "there was room in memory")
        filler.unlink()
        postgres.start()
        answered = {**burst.answered, **more.answered}
        wait_for_rows(postgres, len(answered))
        self.account("disk full, database away (rows wait in memory)", answered, rows_in(postgres))

    def test_full_and_refuses(self):
        postgres, daemon, burst, filler = self.full_disk("refuse")
        answered = dict(burst.answered)

        def refused():
            response = daemon.execute(job("bash", "true"))
            if response.status == 200:
                answered[response.json["job_id"]] = response.json["status"]
                return False
            self.assertEqual((response.status, response.json["error"]["code"]), (503, "unavailable"), response)
            return True

        wait_until(refused, 30, "jobs are refused, for their rows might find no room")
        filler.unlink()
        postgres.start()
        wait_until(lambda: not daemon.health()["audit"]["spool_full"], 30, "the spool has room again")
        self.assertEqual(daemon.execute(job("bash", "true")).status, 200)
        wait_for_rows(postgres, len(answered) + 1)
        self.assertEqual(set(answered) - set(rows_in(postgres)), set())


class DaemonEnds(ChaosTest):
    def test_killed_with_jobs_running(self):
        """Who had an answer has that row; who had none is interrupted; nothing of their jails is left."""
        postgres = self.postgres()
        state = self.directory()
        first = self.stack.enter_context(Worker(settings(postgres=postgres), state_dir=state))
        with Burst(first) as burst:
            burst.wait_answered(50)
        hang = [threading.Thread(target=self.ask_and_lose, args=(first, ), daemon=True) for _ in range(5)]
        for thread in hang:
            thread.start()
        jobs = first.state_dir / "jobs"
        wait_until(lambda: len(list(jobs.glob("[0-9a-z]*.json"))) == 5, 20, "five jobs run")
        running = {card.stem for card in jobs.glob("[0-9a-z]*.json")}
        first.die()
        first.spawn()
        wait_until(first._is_up, 30, "the daemon is up again")
        wait_for_rows(postgres, len(burst.answered) + 5)
        self.account("daemon killed -9, 5 jobs running", set(burst.answered) | running, rows_in(postgres))
        statuses = dict(line.split("|") for line in rows_in(postgres, "job_id, status"))
        self.assertEqual({statuses[job_id] for job_id in running}, {"interrupted"})
        self.assertEqual({statuses[job_id] for job_id in burst.answered}, {"completed"})
        self.assertEqual(list(jobs.iterdir()), [])
        for job_id in running:
            summary = json.loads((first.state_dir / "terminations" / f"{job_id}.json").read_text())
            self.assertEqual((summary["status"], summary["cause"]["code"]), ("interrupted", "daemon_died"))
        for thread in hang:
            thread.join(20)

    def ask_and_lose(self, daemon):
        try:
            daemon.execute(job("bash", "sleep 4.5"))
        except (OSError, AssertionError):
            pass

    def test_killed_in_mid_burst_again_and_again(self):
        state = self.directory()
        postgres = self.postgres()
        answered = {}
        for _ in range(3):
            daemon = self.stack.enter_context(Worker(settings(postgres=postgres), state_dir=state))
            with Burst(daemon) as burst:
                burst.wait_answered(60)
                daemon.die()
            answered.update(burst.answered)
        with Worker(settings(postgres=postgres), state_dir=state):
            wait_until(lambda: set(answered) <= set(rows_in(postgres)), 60, "every answered job has its row")
            statuses = dict(line.split("|") for line in rows_in(postgres, "job_id, status"))
        self.assertEqual({statuses.pop(job_id) for job_id in answered}, {"completed"})
        self.assertLessEqual(set(statuses.values()), {"interrupted", "completed"})
        self.account("daemon killed -9 in mid-burst, three times", set(answered) | set(statuses), rows_in(postgres))

    def test_terminated_under_load(self):
        postgres = self.postgres()
        daemon = self.worker(postgres=postgres)
        with Burst(daemon, code="sleep 0.05") as burst:
            burst.wait_answered(50)
            daemon.process.send_signal(signal.SIGTERM)
            daemon.wait_for_exit(0)
        self.account("SIGTERM under load", burst.answered, rows_in(postgres))
