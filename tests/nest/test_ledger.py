"""The ledgers as files: what was changed in them is found, and said where; what can't be, is not claimed."""

import shutil
import tempfile

from api.base import job, side_by_side
from nest.base import CONFIG, NestTest, module_nest
from support.auditor import Auditor
from support.daemon import Daemon
from support.process import wait_until

# Small files, so that a chain goes over several.
setUpModule, tearDownModule = module_nest(config=CONFIG + "[crows_nest]\nledger_segment_bytes = 16384\n")

JOBS = 40


class Chain(NestTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ids = []

    def setUp(self):
        super().setUp()
        if not self.ids:
            done = side_by_side(lambda n: self.run_code("bash", f"exit {n % 3}", tenant_id=f"t{n % 2}"), range(JOBS), 8)
            self.ids.extend(each["job_id"] for each in done)
            for job_id in self.ids:
                self.auditor.line_of(job_id)

    def copy(self):
        """A ledger of one's own, to spoil."""
        directory = tempfile.mkdtemp(prefix="outrigger-ledger-")
        self.addCleanup(shutil.rmtree, directory)
        copy = Auditor(directory)
        shutil.copytree(self.daemon.state_dir / "ledger", copy.state_dir / "ledger")
        return copy, sorted((copy.state_dir / "ledger").glob("execution-*.jsonl"))

    def faults(self, copy, *words):
        return [fault for each in copy.verify(*words, status=1)["ledgers"] for fault in each["faults"]]

    def test_it_is_sound_over_several_files(self):
        result = self.auditor.verify()
        executions = result["ledgers"][0]
        self.assertTrue(result["sound"])
        self.assertGreater(executions["segments"], 1)
        self.assertEqual(executions["lines"], executions["head"]["seq"])
        self.assertEqual(self.auditor.head(), executions["head"])

    def test_an_edited_line_is_found_where_it_is(self):
        copy, files = self.copy()
        lines = files[0].read_text().splitlines(keepends=True)
        lines[3] = lines[3].replace('"exit_code":', '"exit_code" :')
        files[0].write_text("".join(lines))
        (fault, ) = self.faults(copy)
        self.assertEqual((fault["kind"], fault["file"], fault["line"]), ("edited", files[0].name, 4))
        text = copy.verb("ledger", "verify", status=(1, )).stdout.decode()
        self.assertIn(f"{files[0].name}, line 4", text)

    def test_lines_removed_inserted_moved_and_torn(self):
        def without(lines):
            del lines[2]

        def twice(lines):
            lines.insert(5, lines[1])

        def swapped(lines):
            lines[2], lines[3] = lines[3], lines[2]

        def forged(lines):
            lines.insert(2, lines[1].replace('"seq":2', '"seq":3'))

        for spoil, kinds in ((without, {"removed"}), (twice, {"duplicated"}), (swapped, {"reordered"}),
                             (forged, {"inserted", "edited"})):
            with self.subTest(spoil.__name__):
                copy, files = self.copy()
                lines = files[0].read_text().splitlines(keepends=True)
                spoil(lines)
                files[0].write_text("".join(lines))
                self.assertTrue({fault["kind"] for fault in self.faults(copy)} & kinds, self.faults(copy))
        copy, files = self.copy()
        with open(files[-1], "ab") as file:
            file.write(b'{"seq":')
        self.assertIn("torn", {fault["kind"] for fault in self.faults(copy)})

    def test_a_whole_file_removed(self):
        copy, files = self.copy()
        files[1].unlink()
        self.assertIn("removed", {fault["kind"] for fault in self.faults(copy)})

    def test_lines_cut_off_the_end_are_found_by_an_anchor_only(self):
        anchor = self.auditor.head()["hash"]
        copy, files = self.copy()
        self.assertTrue(copy.verify("--anchor", anchor)["sound"])
        lines = files[-1].read_text().splitlines(keepends=True)
        files[-1].write_text("".join(lines[:-1]))
        self.assertTrue(copy.verify()["sound"], "a chain by itself does not know where it ends")
        result = copy.verify("--anchor", anchor, status=1)
        self.assertEqual(result["missing_anchors"], [anchor])

    def test_lines_are_found_by_job_tenant_and_cause(self):
        for job_id in self.ids[:3]:
            (line, ) = self.auditor.lines("--job", job_id)
            self.assertEqual(line["job_id"], job_id)
        of_tenant = self.auditor.lines("--tenant", "t1")
        self.assertEqual({line["tenant_id"] for line in of_tenant}, {"t1"})
        self.assertEqual(len(of_tenant), JOBS // 2)
        self.assertEqual({line["cause"]["code"] for line in self.auditor.lines("--cause", "exited")}, {"exited"})
        self.assertEqual(self.auditor.lines("--cause", "memory_ceiling"), [])
        newest = self.auditor.lines("--last", "2")
        self.assertEqual([line["seq"] for line in newest], [self.auditor.head()["seq"] - 1, self.auditor.head()["seq"]])
        self.assertEqual(len(self.auditor.lines("--since", "1h")), self.auditor.head()["seq"])
        self.assertEqual(self.auditor.lines("--since", "2100-01-01T00:00:00Z"), [])

    def test_for_people(self):
        text = self.auditor.verb("ledger", "show", "--job", self.ids[0]).stdout.decode()
        self.assertIn("exited with status", text)
        self.assertEqual(text.count("\n"), 1)


class Restart(NestTest):
    def test_the_chain_goes_on_and_a_torn_end_is_repaired_and_told(self):
        self.run_code("bash", "true")
        wait_until(lambda: not list((self.daemon.state_dir / "terminations").glob("[!.]*")), 20, "the spool is empty")
        before = self.auditor.head()
        self.auditor.kill()
        newest = max((self.daemon.state_dir / "ledger").glob("execution-*.jsonl"))
        with open(newest, "ab") as file:
            file.write(b'{"seq":99,"half":"a li')
        self.auditor.start()
        incident = self.auditor.incident("ledger_repaired")
        self.assertEqual(incident["evidence"]["file"], newest.name)
        self.assertIn("half", incident["evidence"]["text"])
        result = self.run_code("bash", "true")
        line = self.auditor.line_of(result["job_id"])
        self.assertEqual((line["seq"], line["prev"]), (before["seq"] + 1, before["hash"]))
        self.assertTrue(self.auditor.verify("--anchor", before["hash"])["sound"])

    def test_an_end_that_somebody_changed_is_told_and_stays_visible(self):
        with Daemon(config=CONFIG) as daemon, Auditor(daemon.state_dir) as auditor:
            auditor.line_of(daemon.execute(job("bash", "true")).json["job_id"])
            auditor.stop()
            (file, ) = (daemon.state_dir / "ledger").glob("execution-*.jsonl")
            file.write_bytes(file.read_bytes().replace(b'"status":"completed"', b'"status":"cancelled"'))
            auditor.start()
            self.assertEqual(auditor.incident("ledger_broken")["severity"], "critical")
            result = daemon.execute(job("bash", "true")).json
            self.assertEqual(auditor.line_of(result["job_id"])["seq"], 2)
            (fault, ) = auditor.verify(status=1)["ledgers"][0]["faults"]
            self.assertEqual((fault["kind"], fault["line"]), ("edited", 1))
