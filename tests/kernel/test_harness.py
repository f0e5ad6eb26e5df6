#!/usr/bin/env python3
"""The attackers' judge is judged: each thing it must notice is really done once, and must be noticed. Needs root."""

import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from kernel.attacker import load_all  # noqa: E402
from kernel.expectation import Expectation, HeaderError, judge, parse_pairs  # noqa: E402
from support.process import wait_until  # noqa: E402
from support.host_state import LeftBehind, assert_clean, assert_nothing_left, jail_uids, snapshot  # noqa: E402

# Ids of nobody's on this machine, a daemon's under test included.
UIDS = jail_uids(1940000000)


def answer(**changes):
    return {"status": "completed", "exit_code": 0, "signal": None, "cause": {"code": "exited", "text": ""},
            "stdout": "", "stderr": "", "stdout_truncated": False, "stderr_truncated": False, "wall_time_ms": 10.0,
            "security_events": [], "peak_memory_bytes": 1 << 20, "limits": {"memory_bytes": 128 << 20}, "files": [],
            **changes}


VIOLATION = {"type": "seccomp_violation", "detail": "", "count": 1, "syscall": "socket", "args": ["0x2"]}


def violation(**changes):
    return answer(**{"status": "security_violation", "exit_code": 159, "signal": "SIGSYS",
                     "cause": {"code": "seccomp", "text": ""}, "security_events": [VIOLATION], **changes})


class Judgement(unittest.TestCase):
    def judged(self, text, given):
        return judge([Expectation(parse_pairs(text))], given, 1.0)

    def test_accepts_what_was_expected(self):
        self.assertEqual([], self.judged('status=completed stdout="a b"', answer(stdout="a b\n")))
        self.assertEqual([], self.judged("status=security_violation syscall=socket", violation()))
        self.assertEqual([], self.judged("status=completed refusals=2 stdout_only=EPERM",
                                         answer(stdout="refused EPERM x\nrefused EPERM y\nrefusals: 2\n")))

    def test_an_escape_fails_whatever_else_was_expected(self):
        self.assertTrue(self.judged("status=completed", answer(stdout="x\nESCAPED socket -> 3\n")))
        self.assertTrue(self.judged("status=completed", answer(stderr="ESCAPED")))

    def test_notices_each_field_that_differs(self):
        for text, given in (
                ("status=failed", answer()),
                ("status=completed exit_code=1", answer()),
                ("status=completed cause=signal", answer()),
                ("status=completed stdout=x", answer(stdout="y")),
                ('status=completed stdout~="x+"', answer(stdout="xy")),
                ("status=completed stdout_hex=00", answer(stdout="\1")),
                ("status=completed refusals=2", answer(stdout="refusals: 1\n")),
                ("status=completed refusals=0", answer()),
                ("status=completed stdout_only=EPERM", answer(stdout="refused ENOSYS x\n")),
                ("status=completed event=oom_kill", answer()),
                ("status=completed truncated=stdout", answer()),
                ("status=completed", answer(stdout_truncated=True)),
                ("status=completed", answer(security_events=[VIOLATION])),
                ("status=completed max_wall_ms=5", answer()),
                ("status=completed stdout_kept=5", answer()),
                ("status=completed peak_near_limit=yes", answer()),
                ("status=security_violation syscall=ptrace", violation()),
                ("status=security_violation", violation(exit_code=137)),
                ("status=security_violation", violation(signal=None)),
                ("status=security_violation syscall=socket", violation(security_events=[])),
                ("status=security_violation", violation(security_events=[{**VIOLATION, "args": []}]))):
            with self.subTest(text):
                self.assertTrue(self.judged(text, given))

    def test_notices_files_that_are_not_as_they_must_be(self):
        link = {"path": "a", "bytes": None, "error": {"code": "symlink", "message": ""}}
        stolen = {"path": "a", "bytes": 4, "mode": "0644", "encoding": "utf8", "content": "root\n"}
        for text in ("status=completed files=a:symlink", "status=completed files_only=symlink,x"):
            self.assertEqual(self.judged(text, answer(files=[link])), [])
            self.assertNotEqual(self.judged(text, answer(files=[stolen])), [])
        self.assertNotEqual(self.judged("status=completed files=a:symlink", answer()), [])

    def test_a_header_with_an_unknown_word_is_refused(self):
        for text in ("status=completed stdot=x", "stdout=x", "status"):
            with self.subTest(text), self.assertRaises(HeaderError):
                Expectation(parse_pairs(text))

    def test_every_attacker_has_a_header_that_can_be_read(self):
        names = [attack.name for attack in load_all()]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 100)


def own_group(controller):
    """The directory of this process's group in the hierarchy that has `controller`."""
    groups = [line.split(":", 2) for line in pathlib.Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines()]
    name = next((name for _, names, name in groups if controller in names.split(",")), groups[-1][2])
    for line in pathlib.Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        kind, options = fields[fields.index("-") + 1], fields[-1].split(",")
        if (kind == "cgroup" and controller in options) or (kind == "cgroup2" and len(groups) == 1):
            return pathlib.Path(fields[4]) / name.lstrip("/")
    raise AssertionError(f"no hierarchy has the controller {controller}")


class HostState(unittest.TestCase):
    """This process plays the daemon, a child the jailer."""

    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="outrigger-harness-")
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name)
        self.jailer = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.addCleanup(self.jailer.wait)
        self.addCleanup(self.jailer.stdin.close)
        self.daemon = types.SimpleNamespace(pid=os.getpid(), jailer_pid=self.jailer.pid, state_dir=self.home)
        self.before = snapshot(self.daemon, uids=UIDS)

    def assert_noticed(self, *words):
        with self.assertRaises(LeftBehind) as raised:
            assert_nothing_left(self.before, snapshot(self.daemon, uids=UIDS))
        for word in words:
            self.assertIn(word, str(raised.exception))

    def test_nothing_left_is_nothing_said(self):
        assert_clean(self.before)
        assert_nothing_left(self.before, snapshot(self.daemon, self.before, UIDS))

    def test_a_process_of_a_jail_id(self):
        process = subprocess.Popen(["sleep", "60"], user=UIDS[3], extra_groups=[])
        try:
            self.assert_noticed("processes: ", "sleep")
            with self.assertRaises(LeftBehind):
                assert_clean(snapshot(self.daemon, uids=UIDS))
        finally:
            process.kill()
            process.wait()

    def test_a_zombie_of_a_jail_id(self):
        process = subprocess.Popen(["true"], user=UIDS[0], extra_groups=[])
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        try:
            self.assert_noticed("processes: ", "zombie")
        finally:
            process.wait()

    def test_a_child_of_the_jailer(self):
        shell = subprocess.Popen(["sh", "-c", "sleep 60 & echo; wait"], stdout=subprocess.PIPE)
        children = pathlib.Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
        try:
            shell.stdout.readline()
            wait_until(lambda: pathlib.Path(f"/proc/{children.read_text().split()[0]}/comm").read_text() == "sleep\n", 10,
                       "the child is no longer a shell")
            self.daemon.jailer_pid = shell.pid
            self.assert_noticed("processes: ", "sleep", f"jailer: was pid {self.jailer.pid}")
        finally:
            subprocess.run(["kill", *children.read_text().split()], check=True)
            shell.communicate()

    def hold_group(self, controller):
        """A process that, as the jailer does, holds a group `outrigger` open; returns that group."""
        parent = own_group(controller) / f"harness-{os.getpid()}"
        group = parent / "outrigger"
        for directory in (parent, group):
            directory.mkdir()
            self.addCleanup(directory.rmdir)
        opened = os.open(group, os.O_RDONLY)
        holder = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[opened])
        os.close(opened)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.stdin.close)
        self.daemon.jailer_pid = holder.pid
        self.before = snapshot(self.daemon, uids=UIDS)
        return group

    def make_group(self, path):
        path.mkdir()
        self.addCleanup(path.rmdir)

    def test_any_group_beside_the_jailers_memory(self):
        self.make_group(self.hold_group("memory") / "of-no-known-job")
        self.assert_noticed("cgroups: ", "of-no-known-job holding nobody")

    def test_a_jobs_group_in_a_shared_hierarchy(self):
        group = self.hold_group("pids")
        self.make_group(group / "a-job")
        with self.assertRaises(LeftBehind):
            assert_nothing_left(self.before, snapshot(self.daemon, uids=UIDS, jobs={"a-job"}))

    def test_a_descriptor_of_the_daemon(self):
        with open(self.home / "spool", "w", encoding="utf-8"):
            self.assert_noticed("descriptors of the daemon", "spool")

    def test_a_file_in_the_state_directory(self):
        (self.home / "jobs").mkdir()
        (self.home / "jobs" / "x.json").write_text("{}", encoding="utf-8")
        self.assert_noticed("files in the state directory", "x.json")

    def test_a_file_of_a_jail_id(self):
        with tempfile.NamedTemporaryFile(prefix="outrigger-harness-") as file:
            os.chown(file.name, UIDS[0], UIDS[0])
            self.assert_noticed("files of jail ids", file.name)

    def test_a_dead_jailer(self):
        self.jailer.stdin.close()
        self.jailer.wait()
        self.assert_noticed("jailer", "dead")

    def test_a_mount_where_the_jailer_lives(self):
        # In a namespace of its own, so that no other process ever sees it.
        script = ("mount -t tmpfs leftover /mnt && echo && read -r _")
        holder = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            holder.stdout.readline()
            self.daemon.jailer_pid = holder.pid
            self.assert_noticed("mounts of the jailer", "/mnt (tmpfs")
        finally:
            holder.communicate(b"\n")


if __name__ == "__main__":
    unittest.main()
