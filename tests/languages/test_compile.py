"""The compile step: a program like any other in a jail of its own, whose end is the job's where it fails."""

import json
import pathlib
import shutil
import tempfile

from api.base import ApiTest, Stopwatch, job
from api.cli import Cli
from api.results import content_of
from languages.base import languages_daemon
from languages.images import IMAGES, places
from support.daemon import Daemon
from support.process import wait_until

setUpModule, tearDownModule = languages_daemon("[compile]\ncache_bytes = 4194304\n")

_NUMBER = 0


def unique(code):
    """The same program as no test has compiled before."""
    global _NUMBER
    _NUMBER += 1
    return f"// {_NUMBER}\n{code}"


def hello(word="hello"):
    return unique('#include <stdio.h>\nint main(void) { puts("%s"); }\n' % word)


# Takes the compiler for ever, and nothing else: a constant expression that is worked out while compiling.
_ENDLESS = ("constexpr long count(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i & 1; return s; }\n"
            "constexpr long a = count(30000000), b = count(30000001), c = count(30000002);\n"
            "template <long n> struct S { static constexpr long v = S<n - 1>::v + count(30000000 + n); };\n"
            "template <> struct S<0> { static constexpr long v = 0; };\nint main() { return S<500>::v & 1; }\n")


class Compiling(ApiTest):
    def test_its_output_is_in_the_answer(self):
        result = self.run_code("c", unique("#warning take care\n" + hello()))
        self.assert_completed(result, "hello\n", "")
        self.assertIn("take care", result["compile"]["stderr"])
        self.assertEqual(result["compile"]["stderr_bytes"], len(result["compile"]["stderr"].encode()))
        self.assertGreater(result["compile"]["wall_time_ms"], 1)
        self.assertGreater(result["compile"]["cpu_time_ms"], 1)

    def test_a_great_deal_of_output_is_cut(self):
        result = self.run_code("c", unique("".join(f"#warning {'x' * 100} {n}\n" for n in range(2000)) + hello()))
        self.assert_completed(result, "hello\n")
        self.assertTrue(result["compile"]["stderr_truncated"])
        self.assertEqual(len(result["compile"]["stderr"]), 65536)

    def test_base64(self):
        result = self.run_code("c", unique("int main(void) { return nothing; }\n"), output_encoding="base64")
        self.assertIn(b"nothing", content_of({"encoding": "base64", "content": result["compile"]["stderr"]}))

    def test_where_it_fails_nothing_runs(self):
        result = self.run_code("c", unique("int main(void) { return nothing; }\n"), collect=["a.out"], stdin="x")
        self.assert_ended(result, "failed", 1)
        self.assertEqual(result["cause"], {"code": "compile", "text": "compiling: exited with status 1"})
        self.assertEqual([file["error"]["code"] for file in result["files"]], ["jail_lost"])
        self.assertEqual(result["limits"]["wall_time_ms"], 5000)

    def test_its_limits_are_its_own(self):
        """A job may have less than its compiler needs, and the compiler never more than its runtime says."""
        result = self.run_code("c", hello(), limits={"memory_bytes": 4 << 20, "pids": 1, "wall_time_ms": 200,
                                                     "tmpfs_bytes": 65536})
        self.assert_completed(result, "hello\n", "")

    def test_one_that_needs_too_long(self):
        with self.impatient() as daemon:
            result = self.run_code("cpp", _ENDLESS, daemon)
            self.assert_ended(result, "timeout", 137, "SIGKILL")
            self.assertEqual(result["cause"]["code"], "compile")
            self.assertIn("wall clock limit of 700 ms", result["cause"]["text"])

    def impatient(self):
        """A daemon whose C++ compiler has less than a second."""
        directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, directory)
        pathlib.Path(directory).chmod(0o755)
        text = pathlib.Path(places()[1], "cpp.toml").read_text("utf-8") + "limits = { wall_time_ms = 700 }\n"
        pathlib.Path(directory, "cpp.toml").write_text(text, "utf-8")
        return Daemon(args=["--runtimes-dir", directory, "--images-dir", str(IMAGES)])

    def test_one_that_needs_too_much_memory(self):
        code = unique("template <int n, class T> struct S { using type = typename S<n - 1, S<n, T>>::type; };\n"
                      "template <class T> struct S<0, T> { using type = T; };\n"
                      "char a[400000000] = {1}; char b[400000000] = {1};\nint main() { return a[5] + b[6]; }\n")
        result = self.run_code("cpp", code)
        self.assertIn(result["status"], ("memory_exceeded", "failed"))
        self.assertEqual(result["cause"]["code"], "compile")
        self.assertEqual(result["stdout"], "")

    def test_a_program_that_has_no_room(self):
        code = unique("char a[9000000] = {1};\nint main(void) { return a[1]; }\n")
        result = self.run_code("c", code, limits={"tmpfs_bytes": 4 << 20})
        self.assert_ended(result, "failed", 1)
        self.assertEqual(result["cause"]["code"], "compile")
        self.assertIn("limits.tmpfs_bytes (4194304)", result["cause"]["text"])
        self.assert_completed(self.run_code("c", code))

    def test_the_compiler_is_jailed(self):
        """What it reads is what a stranger wrote: other files than the image's and the job's it can't read."""
        for path in ("/etc/shadow", "/proc/1/environ", "/proc/1/root/etc/hostname"):
            with self.subTest(path):
                result = self.run_code("c", unique(f'#include "{path}"\nint main(void) {{}}\n'))
                self.assert_ended(result, "failed", 1)
        result = self.run_code("c", unique('#include "/dev/zero"\nint main(void) {}\n'))
        self.assertNotEqual(result["status"], "completed")
        self.assertEqual(result["cause"]["code"], "compile")
        self.assert_idle()

    def test_files_and_the_code_are_there_and_only_the_program_after(self):
        files = [{"path": "d/in.txt", "content": "data"}, {"path": "a.out", "content": "not this one", "mode": "0600"}]
        code = unique('#include <stdio.h>\n#include <stdlib.h>\nint main(void) { return system("cat d/in.txt; ls; stat -c %a a.out"); }\n')
        result = self.run_code("c", code, files=files)
        self.assert_completed(result, "dataa.out\nd\n755\n", "")

    def test_what_the_program_leaves_comes_back(self):
        code = unique('#include <stdio.h>\nint main(void) { fputs("left", fopen("x", "w")); }\n')
        result = self.run_code("c", code, collect=["x"])
        self.assertEqual([(file["path"], content_of(file)) for file in result["files"]], [("x", b"left")])

    def test_the_environment_is_the_programs_alone(self):
        code = unique('#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(getenv("MODE")); }\n')
        result = self.run_code("c", code, env={"MODE": "x", "CPATH": "/nowhere", "LD_LIBRARY_PATH": "/nowhere"})
        self.assert_completed(result, "x\n")


class Cached(ApiTest):
    def test_the_same_again_is_not_compiled_again(self):
        code = hello()
        first, second = self.run_code("c", code), self.run_code("c", code, stdin="other", limits={"pids": 5})
        self.assertEqual([result["compile"]["cached"] for result in (first, second)], [False, True])
        for name in ("stderr", "wall_time_ms", "peak_memory_bytes"):
            self.assertEqual(first["compile"][name], second["compile"][name])
        self.assert_completed(second, "hello\n", "")

    def test_what_differs_is(self):
        code = unique('#include "word.h"\n#include <stdio.h>\nint main(void) { puts(WORD); }\n')
        for word in ("one", "two"):
            files = [{"path": "word.h", "content": f'#define WORD "{word}"\n'}]
            result = self.run_code("c", code, files=files)
            self.assert_completed(result, f"{word}\n")
            self.assertFalse(result["compile"]["cached"])

    def test_tenants_share_nothing(self):
        code = hello()
        cached = []
        for tenant in ("first", "second", "first"):
            result = self.execute({**job("c", code), "tenant_id": tenant})
            self.assert_completed(result, "hello\n")
            cached.append(result["compile"]["cached"])
        self.assertEqual(cached, [False, False, True])

    def test_a_failure_is_not_kept(self):
        code = unique("int main(void) { return nothing; }\n")
        for _ in range(2):
            self.assertFalse(self.run_code("c", code)["compile"]["cached"])

    def test_the_oldest_goes_where_there_is_no_more_room(self):
        """Programs of two megabytes, in a cache of four."""
        codes = [unique("char a[2000000] = {1};\nint main(void) { return a[1]; }\n") for _ in range(3)]
        for code in codes:
            self.run_code("c", code)
        cached = [self.run_code("c", code)["compile"]["cached"] for code in reversed(codes)]
        self.assertEqual(cached, [True, True, False])

    def test_none_is_kept_where_the_operator_wants_none(self):
        with Daemon("[compile]\ncache_bytes = 0\n", args=places()) as daemon:
            for _ in range(2):
                self.assertFalse(self.run_code("c", "int main(void) {}\n", daemon)["compile"]["cached"])


class OneJob(ApiTest):
    def records(self, job_id):
        summary = json.loads((self.daemon.state_dir / "terminations" / f"{job_id}.json").read_text("utf-8"))
        return summary, self.daemon.request("GET", f"/api/v1/runs/{job_id}").json

    def test_it_has_one_row_and_one_summary(self):
        before = len(list((self.daemon.state_dir / "terminations").iterdir()))
        for code, status in ((hello(), "completed"), (unique("int main(void) { return nothing; }\n"), "failed")):
            result = self.run_code("c", code)
            summary, row = self.records(result["job_id"])
            self.assertEqual((summary["status"], row["status"]), (status, status))
            self.assertEqual((summary["command"], row["command"]), ("/tmp/work/a.out", "/tmp/work/a.out"))
            self.assertEqual(row["cause"], result["cause"])
        self.assertEqual(len(list((self.daemon.state_dir / "terminations").iterdir())), before + 2)
        self.assert_idle()

    def test_a_queued_one(self):
        submitted = self.daemon.request("POST", "/api/v1/jobs", job("c", hello()))
        job_id = submitted.json["job_id"]
        state = lambda: self.daemon.request("GET", f"/api/v1/jobs/{job_id}").json  # noqa: E731
        wait_until(lambda: state()["state"] == "finished", 20, "it has finished")
        result = state()["result"]
        self.assert_completed(result, "hello\n")
        self.assertEqual((result["job_id"], result["compile"]["status"]), (job_id, "completed"))
        self.assertEqual(self.records(job_id)[1]["origin"], "queue")

    def test_it_can_be_cancelled_while_it_compiles(self):
        job_id = self.daemon.request("POST", "/api/v1/jobs", job("cpp", unique(_ENDLESS))).json["job_id"]
        state = lambda: self.daemon.request("GET", f"/api/v1/jobs/{job_id}").json  # noqa: E731
        wait_until(lambda: state()["state"] == "running", 20, "it compiles")
        with Stopwatch() as watch:
            wait_until(lambda: self.daemon.request("DELETE", f"/api/v1/runs/{job_id}").status == 202, 5, "it is cancelled")
            wait_until(lambda: state()["state"] == "finished", 20, "it has ended")
        self.assertLess(watch.seconds, 15)
        self.assertEqual((state()["result"]["status"], state()["result"]["cause"]["code"]), ("cancelled", "cancelled"))
        self.assert_idle()

    def test_a_client_that_leaves_ends_the_compiler(self):
        self.assert_idle()
        with self.daemon.connect() as connection:
            connection.send_request("POST", "/api/v1/execute", job("cpp", unique(_ENDLESS)))
            wait_until(lambda: self.daemon.health()["pool"]["running"] == 1, 10, "it compiles")
        with Stopwatch() as watch:
            self.assert_idle()
        self.assertLess(watch.seconds, 15)

    def test_many_at_once(self):
        results = self.run_all([("c", hello(str(n)), {}) for n in range(24)], at_once=12)
        for n, result in enumerate(results):
            self.assert_completed(result, f"{n}\n", "")
        self.assert_idle()


class CommandLine(ApiTest):
    def setUp(self):
        super().setUp()
        self.cli = Cli(self.daemon)
        self.addCleanup(self.cli.close)

    def test_what_the_compiler_says_of_a_failure_is_on_stderr(self):
        wrong = self.cli.file("a.c", unique("int main(void) { return nothing; }\n"))
        for where in ((), ("--local", *places())):
            with self.subTest(where=where):
                ended = self.cli("run", "-l", "c", *where, wrong)
                self.assertEqual((ended.returncode, ended.stdout), (1, b""), ended)
                self.assertIn(b"nothing", ended.stderr)
                self.assertTrue(ended.stderr.endswith(b"outrigger: failed: compiling: exited with status 1\n"), ended.stderr)

    def test_what_it_says_of_a_program_that_runs_is_not(self):
        ended = self.cli("run", "-l", "c", self.cli.file("a.c", unique("#warning take care\n" + hello())))
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, b"hello\n", b""))

    def test_it_compiles_without_a_daemon(self):
        ended = self.cli("run", "-l", "c", "--local", *places(), self.cli.file("a.c", hello()))
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, b"hello\n", b""))
