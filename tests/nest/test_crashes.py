"""A line for each run, and one only, whatever dies."""

import collections
import concurrent.futures
import json
import os
import random
import subprocess
import threading

from api.base import job
from nest.base import CONFIG, OwnDaemonTest
from support.daemon import Daemon
from support.process import TIME_SCALE, descendants_of, is_alive, wait_until

# Fewer where each takes longer.
JOBS = int(400 / TIME_SCALE)
KILLS = max(3, int(8 / TIME_SCALE))


class Crashes(OwnDaemonTest):
    def burst(self, count):
        def one(number):
            response = self.daemon.execute(job("bash", f"exit {number % 2}"))
            return response.json["job_id"] if response.status == 200 else None

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            return [each for each in pool.map(one, range(count)) if each]

    def settled(self, ids):
        """All have a line, none two, and nothing waits."""
        def found():
            return collections.Counter(line["job_id"] for line in self.auditor.lines())

        wait_until(lambda: set(ids) <= set(found()), 30, lambda: f"{len(set(ids) - set(found()))} lines are missing")
        wait_until(lambda: not list((self.daemon.state_dir / "terminations").glob("[!.]*")), 20, "the spool is empty")
        counts = found()
        self.assertEqual([job_id for job_id, count in counts.items() if count > 1], [])
        self.assertEqual(set(counts), set(ids))
        self.assertTrue(self.auditor.verify()["sound"])

    def test_the_auditor_is_killed_again_and_again(self):
        auditor = self.audit()
        ids = []
        thread = threading.Thread(target=lambda: ids.extend(self.burst(JOBS)))
        thread.start()
        random.seed(5)
        for _ in range(KILLS):
            seen = auditor.head()["seq"] if auditor.has_ledger() and auditor.head() else 0
            # In the middle of its work, at another moment each time.
            step = random.randrange(1, JOBS // KILLS)
            wait_until(lambda: not thread.is_alive() or (auditor.head() or {"seq": 0})["seq"] >= seen + step, 30, "lines come")
            auditor.kill()
            auditor.start()
        thread.join()
        self.assertEqual(len(ids), JOBS)
        self.settled(ids)

    def test_it_was_away_while_jobs_ran(self):
        ids = self.burst(max(12, int(60 / TIME_SCALE)))
        self.assertEqual(len(list((self.daemon.state_dir / "terminations").glob("[!.]*"))), len(ids))
        self.audit()
        self.settled(ids)
        self.assertEqual({line["observed"] for line in self.auditor.lines()}, {False})

    def test_lines_are_there_and_their_summaries_still_are(self):
        auditor = self.audit()
        ids = self.burst(5)
        for job_id in ids:
            auditor.line_of(job_id)
        self.settled(ids)
        auditor.kill()
        # As if it had died between the line and the removal.
        result = self.daemon.execute(job("bash", "true")).json
        place = self.daemon.state_dir / "terminations"
        (summary, ) = place.glob("[!.]*")
        kept = summary.read_bytes()
        auditor.start()
        auditor.line_of(result["job_id"])
        wait_until(lambda: not summary.exists(), 20, "it is taken")
        auditor.kill()
        summary.write_bytes(kept)
        auditor.start()
        self.settled(ids + [result["job_id"]])

    def test_a_summary_told_twice_to_a_running_auditor(self):
        self.audit()
        place = self.daemon.state_dir / "terminations"
        self.auditor.kill()
        result = self.daemon.execute(job("bash", "true")).json
        (summary, ) = place.glob("[!.]*")
        kept = summary.read_bytes()
        self.auditor.start()
        self.auditor.line_of(result["job_id"])
        wait_until(lambda: not summary.exists(), 20, "it is taken")
        for _ in range(3):
            (place / ".again").write_bytes(kept)
            (place / ".again").rename(summary)
            wait_until(lambda: not summary.exists(), 20, "it is taken")
        self.settled([result["job_id"]])

    def test_the_daemon_dies_with_jobs_running(self):
        self.audit()
        done = self.burst(3)
        threads = [threading.Thread(target=self._lost, args=(n, )) for n in range(3)]
        for thread in threads:
            thread.start()
        cards = wait_until(lambda: (found := list((self.daemon.state_dir / "jobs").glob("[!.]*.json"))) and
                           len(found) == 3 and found, 20, "three jobs run")
        ids = [json.loads(path.read_text())["job_id"] for path in cards]
        started = descendants_of(self.daemon.pid)
        self.daemon._ended = True
        self.daemon.process.kill()
        self.daemon.process.wait()
        for thread in threads:
            thread.join()
        wait_until(lambda: not any(map(is_alive, started)), 20, "everything ends with the daemon")
        self.enter(Daemon(config=CONFIG, state_dir=self.daemon.state_dir))
        for job_id in ids:
            self.assertEqual(self.auditor.line_of(job_id)["cause"]["code"], "interrupted")
        self.settled(done + ids)
        self.assertEqual(self.auditor.incidents("--rule", "summary_missing"), [])

    def _lost(self, number):
        try:
            self.daemon.execute(job("bash", f"sleep 60{number}"))
        except (OSError, AssertionError):
            pass

    def test_a_reused_id_is_another_job(self):
        self.audit()
        place = self.daemon.state_dir / "terminations"
        self.auditor.kill()
        self.daemon.execute(job("bash", "true"))
        (summary, ) = place.glob("[!.]*")
        first = json.loads(summary.read_text())
        self.auditor.start()
        self.auditor.line_of(first["job_id"])
        second = {**first, "started_at": "2031-01-01T00:00:00.000Z", "ended_at": "2031-01-01T00:00:00.100Z", "exit_code": 5,
                  "status": "failed"}
        (place / ".again").write_text(json.dumps(second))
        (place / ".again").rename(place / f"{first['job_id']}.json")
        lines = wait_until(lambda: len(found := self.auditor.lines("--job", first["job_id"])) == 2 and found, 20, "two lines")
        self.assertEqual([line["exit_code"] for line in lines], [0, 5])

    def test_the_disk_is_full_for_a_while(self):
        self.daemon.stop()
        ledger = self.daemon.state_dir / "ledger"
        ledger.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=750", "outrigger-nest", ledger], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", ledger], check=True)
        daemon = self.enter(Daemon(config=CONFIG, state_dir=self.daemon.state_dir))
        self.daemon = daemon
        filler = ledger / "filler"
        with open(filler, "wb") as file:
            file.write(b"x" * (200 << 10))
        self.audit()
        ids = self.burst(150)
        wait_until(lambda: "ledger_not_written" in self.auditor.log_text(), 20, "the disk takes nothing")
        self.assertTrue(list((daemon.state_dir / "terminations").glob("[!.]*")), "what is not on the disk is kept")
        os.unlink(filler)
        self.settled(ids)
