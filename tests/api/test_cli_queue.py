"""The verbs submit, status, cancel and runs."""

import json

from api.base import ApiTest, module_daemon
from api.cli import Cli
from support.process import wait_until

setUpModule, tearDownModule = module_daemon(config="[pool]\nprimed_memory_bytes = 0\n")


class QueueVerbs(ApiTest):
    def setUp(self):
        super().setUp()
        self.cli = Cli(self.daemon)
        self.addCleanup(self.cli.close)

    def ok(self, *args, **options):
        done = self.cli(*args, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done)
        return done.stdout.decode()

    def test_submit_and_status(self):
        program = self.cli.file("hello.py", "import sys; print('hi', *sys.argv[1:]); print('there', file=sys.stderr)")
        job_id = self.ok("submit", program, "a", "b").strip()
        told = self.ok("status", "--wait", job_id)
        self.assertIn(f"{job_id}  finished on ", told)
        self.assertIn("completed: exited with status 0\nhi a b\nthere\n", told)
        document = json.loads(self.ok("status", "--json", job_id))
        self.assertEqual(document["result"]["stdout"], "hi a b\n")

    def test_submit_takes_what_run_takes(self):
        out = self.ok("submit", "--json", "-l", "bash", "--tenant", "me", "--env", "A=1", "--pids", "7",
                      "--idempotency-key", "k1", "-", stdin=b"echo $A; ulimit -a >/dev/null")
        job_id = json.loads(out)["job_id"]
        again = self.ok("submit", "-l", "bash", "--tenant", "me", "--env", "A=1", "--pids", "7", "--idempotency-key",
                        "k1", "-", stdin=b"echo $A; ulimit -a >/dev/null").strip()
        self.assertEqual(again, job_id)
        result = json.loads(self.ok("status", "--wait", "--json", job_id))["result"]
        self.assertEqual((result["stdout"], result["limits"]["pids"], result["tenant_id"]), ("1\n", 7, "me"))

    def test_cancel(self):
        job_id = self.ok("submit", "-l", "bash", "-", stdin=b"sleep 30").strip()
        wait_until(lambda: json.loads(self.ok("status", "--json", job_id))["state"] == "running", 20, "it runs")
        self.assertEqual(self.ok("cancel", job_id), f"{job_id}  is being cancelled\n")
        self.assertIn("cancelled", self.ok("status", "--wait", job_id))
        late = self.cli("cancel", job_id)
        self.assertEqual(late.returncode, 125)
        self.assertIn(b"has ended", late.stderr)

    def test_runs(self):
        for code in ("true", "exit 3"):
            self.cli("run", "-l", "bash", "--tenant", "lister", "-", stdin=code.encode())
        table = self.ok("runs", "--tenant", "lister").splitlines()
        self.assertEqual(table[0].split()[:5], ["STARTED", "JOB", "TENANT", "LANGUAGE", "STATUS"])
        self.assertEqual([line.split()[4] for line in table[1:]], ["failed", "completed"])
        page = json.loads(self.ok("runs", "--json", "--tenant", "lister", "--status", "failed"))
        self.assertEqual([run["exit_code"] for run in page["runs"]], [3])
        one = json.loads(self.ok("runs", "--json", page["runs"][0]["job_id"]))
        self.assertEqual(one, page["runs"][0])
        more = self.cli("runs", "--tenant", "lister", "--limit", "1")
        self.assertIn(b"there are more: --before ", more.stderr)
        place = more.stderr.split()[-1].decode()
        self.assertEqual(len(self.ok("runs", "--tenant", "lister", "--before", place).splitlines()), 2)

    def test_what_it_cannot_do(self):
        for args, words in ((("status", "nobody"), b"no queued job"), (("cancel", "nobody"), b"no job is waiting"),
                            (("runs", "nobody"), b"no run has ended"), (("runs", "--status", "odd"), b"status must be")):
            done = self.cli(*args)
            self.assertEqual((done.returncode, done.stdout), (125, b""), done)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.cli("status").returncode, 2)
        self.assertEqual(self.cli("runs", "--nope").returncode, 2)
        self.assertIn(b"no run matches", self.cli("runs", "--tenant", "never-seen").stderr)
