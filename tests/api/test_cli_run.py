"""`outrigger run`, against a daemon and alone: the guest's output and exit status as if it had run right here."""

import signal
import subprocess

from api.base import ApiTest, Stopwatch, module_daemon, unique_seconds
from api.cli import UNPRIVILEGED, Cli
from api.results import assert_well_formed, incidents
from support.http import strict_json
from support.process import cgroups_of, children_of, free_port, is_alive, processes_with, program, wait_until

setUpModule, tearDownModule = module_daemon()

_HELLO = {"a.py": "print('hi')", "a.js": "console.log('hi')", "a.sh": "echo hi"}
_VOLATILE = ("job_id", "wall_time_ms", "queue_time_ms", "cpu_time_ms", "throttled_time_ms", "peak_memory_bytes")


def lasting(result):
    """What is the same whenever and wherever a program runs."""
    return {
        name: value
        for name, value in {**result, "security_events": incidents(result)}.items() if name not in _VOLATILE
    }


class RunTest(ApiTest):
    """Each test runs twice: see AgainstADaemon and Local."""

    where = ()

    def setUp(self):
        super().setUp()
        self.cli = Cli(self.daemon)
        self.addCleanup(self.cli.close)

    def run_program(self, name, code, *args, options=(), **more):
        return self.cli("run", *self.where, *options, self.cli.file(name, code), *args, **more)


class Behaviour:
    """What holds in both worlds; mixed into the two classes below."""
    def test_language_by_the_files_name(self):
        for name, code in _HELLO.items():
            with self.subTest(name):
                ended = self.run_program(name, code)
                self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, b"hi\n", b""))

    def test_language_by_option_and_by_shebang(self):
        self.assertEqual(self.run_program("noending", "echo hi", options=("-l", "bash")).stdout, b"hi\n")
        self.assertEqual(self.run_program("noending", "#!/usr/bin/env python3\nprint('hi')").stdout, b"hi\n")

    def test_the_program_from_stdin(self):
        ended = self.cli("run", *self.where, "-l", "python", "-", "a", "-b",
                         stdin=b"import sys\nprint(sys.argv[1:], sys.stdin.read())")
        self.assertEqual((ended.returncode, ended.stdout), (0, b"['a', '-b'] \n"), ended)

    def test_files_go_in_and_come_back(self):
        self.cli.file("tool", "#!/bin/bash\nprintf $1\n")
        (self.cli.directory / "tool").chmod(0o755)
        self.cli.file("kept", "old")
        code = "mkdir -p out/deep; ./tool '\\xff' > out/deep/b; ./tool new > kept; ln -s /etc/passwd out/link; echo said"
        ended = self.run_program("a.sh", code, options=("--file", "tool", "--collect", "kept", "--collect", "out/**"))
        self.assertEqual((ended.returncode, ended.stdout), (0, b"said\n"), ended)
        self.assertEqual((self.cli.directory / "kept").read_bytes(), b"new")
        self.assertEqual((self.cli.directory / "out/deep/b").read_bytes(), b"\xff")
        self.assertEqual(ended.stderr, b"outrigger: not collected: out/link: is a symbolic link; none is followed\n")
        self.assertFalse((self.cli.directory / "out/link").is_symlink())

    def test_files_come_into_the_directory_that_is_named_and_nowhere_else(self):
        (self.cli.directory / "elsewhere").mkdir()
        (self.cli.directory / "there").mkdir()
        (self.cli.directory / "there/d").symlink_to(self.cli.directory / "elsewhere")
        code = "mkdir d; echo 1 > d/x; echo 2 > y; exit 3"
        options = ("--collect", "d/x", "--collect", "y", "--collect", "z", "--output-dir", "there")
        ended = self.run_program("a.sh", code, options=options)
        self.assertEqual(ended.returncode, 125, ended)
        self.assertIn(b"cannot write d/x", ended.stderr)
        self.assertIn(b"not collected: z", ended.stderr)
        self.assertEqual((self.cli.directory / "there/y").read_bytes(), b"2\n")
        self.assertEqual(list((self.cli.directory / "elsewhere").iterdir()), [])
        self.assertFalse((self.cli.directory / "y").exists())

    def test_with_json_the_files_are_in_the_document(self):
        ended = self.run_program("a.sh", "echo 1 > y", options=("--json", "--collect", "y"))
        self.assertEqual(strict_json(ended.stdout)["files"],
                         [{"path": "y", "bytes": 2, "mode": "0644", "encoding": "utf8", "content": "1\n"}])
        self.assertFalse((self.cli.directory / "y").exists())

    def test_a_pattern_that_leaves_is_refused(self):
        ended = self.run_program("a.sh", "true", options=("--collect", "../*"))
        self.assertEqual((ended.returncode, ended.stdout), (125, b""), ended)
        self.assertIn(b"collect[0]", ended.stderr)

    def test_stdin_and_arguments_are_passed(self):
        text = "line\nzwei é😀\n" * 20000
        ended = self.run_program("a.sh", "cat; echo \"$#:$1:$2\"", "--help", "two words", stdin=text.encode())
        self.assertEqual((ended.returncode, ended.stdout), (0, text.encode() + b"2:--help:two words\n"))

    def test_stdin_that_is_no_text_is_never_changed_in_silence(self):
        ended = self.run_program("a.sh", "cat", stdin=b"\xff\xfe\x00\x80")
        if ended.returncode == 125:
            self.assertIn(b"stdin", ended.stderr)
        else:
            self.assertEqual((ended.returncode, ended.stdout), (0, b"\xff\xfe\x00\x80"))

    def test_output_comes_as_raw_bytes_on_both_streams(self):
        code = "import os\nos.write(1, bytes(range(256)))\nos.write(2, bytes(range(255, -1, -1)))"
        ended = self.run_program("a.py", code)
        self.assertEqual((ended.stdout, ended.stderr), (bytes(range(256)), bytes(range(255, -1, -1))))

    def test_the_exit_status_is_the_programs(self):
        for status in (0, 1, 7, 125, 137, 255):
            with self.subTest(status):
                self.assertEqual(self.run_program("a.sh", f"exit {status}").returncode, status)

    def test_after_a_signal_it_is_128_and_the_number(self):
        for name, number in (("TERM", 15), ("KILL", 9), ("SEGV", 11), ("ABRT", 6)):
            with self.subTest(name):
                ended = self.run_program("a.sh", f"kill -{name} $$")
                self.assertEqual(ended.returncode, 128 + number)
                self.assertIn(f"SIG{name}".encode(), ended.stderr)

    def test_each_other_end_has_its_status_and_says_why(self):
        cases = (("a.sh", "echo out; sleep 60", ("--wall-time-ms", "400"), 137,
                  b"timeout"), ("a.py", "x = b'x' * (1 << 30)", ("--memory-bytes", "64M"), 137,
                                b"memory"), ("a.sh", "while :; do :; done", ("--cpu-time-ms", "200"), 152, b"cpu"),
                 ("a.py", "import ctypes\nctypes.CDLL(None).socket(2, 1, 0)", (), 159, b"socket"))
        for name, code, options, status, word in cases:
            with self.subTest(word):
                ended = self.run_program(name, code, options=options)
                self.assertEqual(ended.returncode, status, ended)
                self.assertIn(word, ended.stderr.lower())
                self.assertTrue(
                    ended.stderr.startswith(b"outrigger: ") and ended.stderr.count(b"\n") == 1, ended.stderr)

    def test_options_reach_the_program(self):
        data = self.cli.file("local.bin", bytes(range(256)))
        code = "import os\nprint(os.environ['MODE'], open('d/in.bin', 'rb').read() == bytes(range(256)))"
        ended = self.run_program("a.py", code, options=("--env", "MODE=x=y", "--file", f"d/in.bin={data}"))
        self.assertEqual((ended.returncode, ended.stdout), (0, b"x=y True\n"), ended)

    def test_json_is_exactly_one_document(self):
        for code, status in (("echo hi; echo err >&2", 0), ("exit 5", 5), ("kill -TERM $$", 143)):
            with self.subTest(code):
                ended = self.run_program("a.sh", code, options=("--json", ))
                result = strict_json(ended.stdout)
                assert_well_formed(self, result)
                self.assertEqual((ended.returncode, result["exit_code"], ended.stderr), (status, status, b""))

    def test_a_closed_stdout_is_no_crash(self):
        command = [program("outrigger"), "run", *self.where, self.cli.file("a.sh", "head -c 300000 /dev/zero")]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.cli.env) as process:
            process.stdout.close()
            process.stderr.read()
            process.wait(30)
        self.assertIn(process.returncode, (125, -signal.SIGPIPE))

    def test_an_interrupted_run_ends_its_job(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                marker = unique_seconds()
                file = self.cli.file("a.sh", f"trap '' TERM INT HUP; sleep {marker}")
                with self.cli.start("run", *self.where, file) as process:
                    wait_until(lambda: processes_with(f"sleep\0{marker}"), 15, "the job runs")
                    own_children = children_of(process.pid)
                    process.send_signal(number)
                    self.assertNotEqual(process.wait(10), 0)
                wait_until(lambda: not processes_with(f"sleep\0{marker}"), 4, "the job's processes are ended")
                wait_until(lambda: not any(map(is_alive, own_children)), 4, "nothing it started lives on")


class AgainstADaemon(Behaviour, RunTest):
    def test_without_a_daemon_it_is_125_and_a_sentence(self):
        self.cli.env["OUTRIGGER_SERVER"] = f"http://127.0.0.1:{free_port()}"
        with Stopwatch() as watch:
            ended = self.run_program("a.sh", "echo hi")
        self.assertEqual((ended.returncode, ended.stdout), (125, b""))
        self.assertIn(self.cli.env["OUTRIGGER_SERVER"].encode(), ended.stderr)
        self.assertLess(watch.seconds, 5)

    def test_the_option_wins_over_the_environment(self):
        server = self.cli.env["OUTRIGGER_SERVER"]
        self.cli.env["OUTRIGGER_SERVER"] = "http://127.0.0.1:1"
        self.assertEqual(self.run_program("a.sh", "echo hi", options=("--server", server)).stdout, b"hi\n")

    def test_a_server_that_is_no_outrigger(self):
        for server in ("nonsense", "https://127.0.0.1:1", "http://", "http://127.0.0.1:notaport", "ftp://127.0.0.1"):
            with self.subTest(server):
                ended = self.run_program("a.sh", "echo hi", options=("--server", server))
                self.assertIn(ended.returncode, (2, 125), ended)
                self.assertTrue(ended.stderr.strip())

    def test_what_the_daemon_refuses_is_125_with_its_message(self):
        ended = self.run_program("a.sh", "true", options=("--pids", "4000"))
        self.assertEqual((ended.returncode, ended.stdout), (125, b""), ended)
        self.assertIn(b"limits.pids must be an integer from 1 to 32", ended.stderr)


class Local(Behaviour, RunTest):
    where = ("--local", )

    def test_needs_no_daemon(self):
        del self.cli.env["OUTRIGGER_SERVER"]
        self.assertEqual(self.run_program("a.sh", "echo hi").stdout, b"hi\n")

    def test_gives_the_same_result_as_a_daemon(self):
        for code in ("echo hi; echo err >&2", "exit 9", "head -c 600000 /dev/zero", "kill -SEGV $$"):
            with self.subTest(code):
                local = strict_json(self.run_program("a.sh", code, options=("--json", )).stdout)
                remote = strict_json(self.cli("run", "--json", self.cli.file("a.sh", code)).stdout)
                self.assertEqual(lasting(local), lasting(remote))

    def test_leaves_nothing_behind(self):
        before = set(self.cli.directory.iterdir())
        result = strict_json(self.run_program("a.sh", "echo hi", options=("--json", )).stdout)
        self.assertEqual(cgroups_of(result["job_id"]), [])
        self.assertEqual({path.name for path in set(self.cli.directory.iterdir()) - before}, {"a.sh"})

    def test_without_the_right_it_is_125_and_says_so(self):
        ended = self.run_program("a.sh", "echo hi", prefix=UNPRIVILEGED)
        self.assertEqual((ended.returncode, ended.stdout), (125, b""), ended)
        self.assertRegex(ended.stderr, rb"root|capabilit")
