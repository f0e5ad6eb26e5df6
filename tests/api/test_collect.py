"""Files that come back: what the patterns name in the working directory when nothing of the job lives any more."""

import base64
import pathlib

from api.base import LANGUAGES, ApiTest, Stopwatch, job, module_daemon
from api.results import content_of
from support.process import cgroups_of, wait_until

setUpModule, tearDownModule = module_daemon()

# A file that may be had beside all that may not.
_GOOD = "echo fine > good; "


class CollectTest(ApiTest):
    def collect(self, language, code, patterns, **fields):
        return self.run_code(language, code, collect=patterns, **fields)

    def contents(self, result):
        """{path: bytes} of those that came, {path: code} of those that did not."""
        return {file["path"]: file["error"]["code"] if "error" in file else content_of(file) for file in result["files"]}

    def assert_collected(self, code, patterns, expected, language="bash", **fields):
        result = self.collect(language, code, patterns, **fields)
        self.assert_completed(result)
        self.assertEqual(self.contents(result), expected)
        return result


class Collected(CollectTest):
    def test_in_each_language(self):
        programs = {
            "python": "import os\nos.mkdir('out')\nopen('out/a.csv', 'w').write('1,2\\n')\nopen('b', 'wb').write(b'\\x00\\xff')",
            "node": "const fs = require('fs'); fs.mkdirSync('out'); fs.writeFileSync('out/a.csv', '1,2\\n');"
            "fs.writeFileSync('b', Buffer.from([0, 255]))",
            "bash": "mkdir out; echo 1,2 > out/a.csv; printf '\\0\\xff' > b"
        }
        for language in LANGUAGES:
            for limits in ({}, {"pids": 31}):  # a primed jail, and one of its own
                with self.subTest(language, limits=limits):
                    self.assert_collected(programs[language], ["out/*.csv", "b"], {"out/a.csv": b"1,2\n", "b": b"\0\xff"},
                                          language, limits=limits)

    def test_text_comes_as_text_and_the_rest_as_base64(self):
        result = self.collect("bash", "printf 'h\\xc3\\xa9' > a; printf '\\xff' > b; printf '' > c; chmod 750 a", ["*"])
        files = {file["path"]: file for file in result["files"]}
        self.assertEqual(files["a"], {"path": "a", "bytes": 3, "mode": "0750", "encoding": "utf8", "content": "hé"})
        self.assertEqual(files["b"], {"path": "b", "bytes": 1, "mode": "0644", "encoding": "base64", "content": "/w=="})
        self.assertEqual(files["c"], {"path": "c", "bytes": 0, "mode": "0644", "encoding": "utf8", "content": ""})
        result = self.collect("bash", "printf x > a", ["a"], output_encoding="base64")
        self.assertEqual((result["files"][0]["encoding"], result["files"][0]["content"]), ("base64", "eA=="))

    def test_what_the_patterns_mean(self):
        code = "mkdir -p a/b/c; for f in x.csv y.txt .z.csv a/x.csv a/b/x.csv a/b/c/1 a/b/c/é; do echo > $f; done"
        cases = (("*.csv", ["x.csv", ".z.csv"]), ("**/*.csv", ["x.csv", ".z.csv", "a/x.csv", "a/b/x.csv"]),
                 ("a/*/x.csv", ["a/b/x.csv"]), ("a/**", ["a/x.csv", "a/b/x.csv", "a/b/c/1", "a/b/c/é"]),
                 ("a/b/c/[!0-9]", ["a/b/c/é"]), ("a/b/c/?", ["a/b/c/1", "a/b/c/é"]), ("none/*", []), ("[xy].*",
                                                                                                      ["x.csv", "y.txt"]))
        for pattern, expected in cases:
            with self.subTest(pattern):
                result = self.collect("bash", code, [pattern])
                self.assertEqual([file["path"] for file in result["files"]], sorted(expected))

    def test_the_requests_own_files_are_files_too(self):
        files = [{"path": "in", "content": "old"}, {"path": "d/in", "content": "same", "mode": "0755"}]
        result = self.assert_collected("printf new > in", ["in", "**"],
                                       {"in": b"new", "d/in": b"same", "main.sh": b"printf new > in"}, files=files)
        self.assertEqual([file["mode"] for file in result["files"]], ["0755", "0644", "0644"])

    def test_names_of_all_kinds(self):
        names = ["-rf", "with space", "new\nline", "é😀", "..hidden", "...", "n" * 255, "'\"$x`", "[x]", "*"]
        code = f"for n in {names!r}: open(n, 'w').write(n)"
        self.assert_collected(code, ["[!m]*"], {name: name.encode() for name in names}, "python")

    def test_a_megabyte_of_any_bytes(self):
        data = bytes(range(256)) * 4096
        result = self.collect("python", "open('a', 'wb').write(bytes(range(256)) * 4096)", ["a"])
        self.assertEqual(self.contents(result), {"a": data})

    def test_whatever_the_programs_end(self):
        endings = {
            "failed": "exit 3", "signaled": "kill -SEGV $$", "timeout": "sleep 30",
            "security_violation": "python3 -c 'import ctypes; ctypes.CDLL(None).unshare(0x10000000)'; sleep 5",
            "cpu_exceeded": "while :; do :; done", "memory_exceeded": None
        }
        limits = {"timeout": {"wall_time_ms": 300}, "cpu_exceeded": {"cpu_time_ms": 200}}
        for status, code in endings.items():
            language = "bash" if code else "python"
            code = _GOOD + code if code else "open('good', 'w').write('fine\\n')\nx = bytearray(1 << 30)"
            with self.subTest(status):
                result = self.collect(language, code, ["good"], limits=limits.get(status, {}))
                self.assertEqual(result["status"], status, result["cause"])
                self.assertEqual(self.contents(result), {"good": b"fine\n"})

    def test_the_answer_is_on_time(self):
        """A job that collects ends with its program, not with whatever that left running."""
        with Stopwatch() as watch:
            self.assert_collected(_GOOD + "(trap '' TERM HUP; while :; do echo x > y; done) & sleep 30 & disown -a",
                                  ["good"], {"good": b"fine\n"})
        self.assertLess(watch.seconds, 15)

    def test_the_wall_clock_is_the_programs(self):
        result = self.collect("bash", "mkdir d; for i in $(seq 1500); do : > d/$i; done; sleep 0.2", ["d/1*"])
        plain = self.run_code("bash", "mkdir d; for i in $(seq 1500); do : > d/$i; done; sleep 0.2")
        self.assertLess(result["wall_time_ms"], plain["wall_time_ms"] + 200)

    def test_nothing_asked_for_nothing_given(self):
        self.assert_collected("echo > a", [], {})
        result = self.execute(job("bash", "echo > a", collect=None))
        self.assertEqual(result["files"], [])


class NotToBeHad(CollectTest):
    """Each is named with its reason, beside what could be had, and the status is the program's."""
    def assert_reason(self, code, expected, patterns):
        return self.assert_collected(_GOOD + code, [*patterns, "good"], {"good": b"fine\n", **expected})

    def test_symbolic_links(self):
        self.assert_reason("ln -s /etc/passwd a; ln -s good b; ln -s nowhere c; ln -s /proc/1/root/etc/shadow d",
                           dict.fromkeys("abcd", "symlink"), ["?"])

    def test_a_directory_that_is_a_link(self):
        self.assert_reason("ln -s /etc d; ln -s / e", {"d/passwd": "symlink", "e/etc/passwd": "symlink"},
                           ["d/passwd", "d/*", "e/etc/passwd", "e/**/passwd"])

    def test_a_working_directory_that_is_a_link(self):
        for code in ("mv /tmp/work /tmp/x; ln -s /etc /tmp/work", "rm -r /tmp/work; ln -s /etc /tmp/work",
                     "rm -r /tmp/work", "rm -r /tmp/work; echo > /tmp/work", "rm -r /tmp/work; mkfifo /tmp/work"):
            with self.subTest(code):
                self.assert_collected(code, ["passwd", "*"], {"passwd": "unreadable", "*": "unreadable"})

    def test_a_fifo_does_not_hold_it_up(self):
        with Stopwatch() as watch:
            self.assert_reason("mkfifo a; mkfifo -m 0 b", {"a": "special_file", "b": "special_file"}, ["?"])
        self.assertLess(watch.seconds, 15)

    def test_a_socket(self):
        # mknod makes what bind() would: no socket of one's own can be had in a jail.
        code = "import os, stat\nos.mknod('s', stat.S_IFSOCK | 0o600)\nopen('good', 'w').write('fine\\n')"
        self.assert_collected(code, ["s", "good"], {"s": "special_file", "good": b"fine\n"}, "python")

    def test_hard_links(self):
        self.assert_reason("echo x > /tmp/out; ln /tmp/out a; echo x > b; ln b c",
                           dict.fromkeys("abc", "hard_link"), ["?"])

    def test_files_of_any_mode_can_be_had(self):
        self.assert_reason("umask 077; mkdir d e; echo 1 > a; echo 2 > b; echo 3 > d/c; echo 4 > e/f; chmod 0 b d; "
                           "chmod 100 e", {"a": b"1\n", "b": b"2\n", "d/c": b"3\n", "e/f": b"4\n"}, ["[ab]", "d/*", "e/f"])

    def test_a_terabyte_of_nothing(self):
        with Stopwatch() as watch:
            result = self.assert_reason("truncate -s 1T a; truncate -s 15M b; truncate -s 17M c",
                                        {"a": "too_large", "b": bytes(15 << 20), "c": "too_large"}, ["[abc]"])
        self.assertLess(watch.seconds, 15)
        self.assertEqual([file["bytes"] for file in result["files"] if "error" in file], [1 << 40, 17 << 20])

    def test_a_terabyte_of_nothing_with_the_cap_used_up(self):
        result = self.collect("bash", "truncate -s 9M a; truncate -s 9M b; truncate -s 1M c", ["?"])
        codes = sorted(code if isinstance(code, str) else "came" for code in self.contents(result).values())
        self.assertEqual(codes, ["came", "came", "too_large"])

    def test_five_thousand_files(self):
        code = "import os\nos.mkdir('d')\nfor i in range(3900): open(f'd/{i}', 'w').close()\nopen('z', 'w').write('last')"
        result = self.collect("python", code, ["**"])
        self.assert_completed(result)
        came = [file for file in result["files"] if "error" not in file]
        refused = [file for file in result["files"] if "error" in file]
        self.assertEqual(len(came), 256)
        self.assertEqual({file["error"]["code"] for file in refused}, {"too_many"})
        self.assertLessEqual(len(refused), 257)

    def test_one_among_thousands_is_found(self):
        code = "import os\nfor i in range(3900): open(str(i), 'w').close()\nopen('z', 'w').write('last')"
        self.assert_collected(code, ["z", "39[0-9][0-9]x"], {"z": b"last"}, "python")

    def test_more_entries_than_are_looked_at(self):
        code = ("import os\nopen('good', 'w').write('fine')\n"
                "for i in range(9000): os.mkdir(f'd{i}') if i % 2 else open(f'f{i}', 'w').close()\n")
        result = self.collect("python", code, ["nowhere", "nothing*"],
                              limits={"tmpfs_bytes": 16777216, "cpu_cores": 0.5})
        self.assertIn(result["status"], ("completed", "failed"))  # 4096 inodes are all it gets by default
        self.assertEqual(self.contents(result), {"nowhere": "not_found"})

    def test_names_that_are_no_text(self):
        code = "import os\nopen(b'a\\xff', 'w').close()\nopen(b'\\xc3(', 'w').close()\nopen('good', 'w').write('fine')"
        self.assert_collected(code, ["*\ufffd*", "good"],
                              {"a\ufffd": "name_not_utf8", "\ufffd(": "name_not_utf8", "good": b"fine"}, "python")

    def test_deep_below(self):
        code = ("import os\nopen('good', 'w').write('fine')\n"
                "for depth in range(200):\n    os.mkdir('d')\n    os.chdir('d')\n    open('f', 'w').write(str(depth))\n")
        result = self.collect("python", code, ["**/f", "good"])
        found = self.contents(result)
        self.assertEqual(found["good"], b"fine")
        self.assertEqual(found["d/" * 63 + "f"], b"62")
        deepest = [path for path, content in found.items() if content == "too_deep"]
        self.assertEqual(deepest, ["/".join(["d"] * 64)])
        self.assertEqual(len(found), 1 + 63 + 1)

    def test_paths_longer_than_are_told(self):
        code = ("import os\nopen('good', 'w').write('fine')\n"
                "for depth in range(5):\n    os.mkdir('n' * 250)\n    os.chdir('n' * 250)\n    open('f', 'w').close()\n")
        result = self.collect("python", code, ["**/f", "good"])
        codes = [content for content in self.contents(result).values() if isinstance(content, str)]
        self.assertEqual(codes, ["name_too_long"])
        self.assertEqual(len(result["files"]), 6)

    def test_what_is_named_and_not_there(self):
        self.assert_reason("mkdir d; : > d/x", {"a": "not_found", "d/y": "not_found", "e/f/g": "not_found", "d": "directory"},
                           ["a", "d/y", "e/f/g", "d", "h*"])

    def test_a_file_deleted_while_it_is_open(self):
        self.assert_reason("exec 5> a; echo x >&5; rm a; sleep 30 & ", {"a": "not_found"}, ["a"])


class Hostile(CollectTest):
    def test_a_process_that_goes_on_changing_everything(self):
        code = ("import os, time\nopen('good', 'w').write('fine')\n"
                "for n in range(3):\n  if os.fork() == 0:\n    while True:\n"
                "      for name in ('a', 'b'):\n        try:\n          os.symlink('/etc/passwd', name)\n"
                "          os.rename(name, 'c')\n          open(name, 'w').write('x' * 1000)\n          os.rename(name, 'c')\n"
                "          os.mkdir(name)\n          os.rmdir(name)\n        except OSError: pass\n"
                "time.sleep(0.1)\n")
        for _ in range(8):
            result = self.collect("python", code, ["?", "good"])
            self.assert_completed(result)
            found = self.contents(result)
            self.assertEqual(found.pop("good"), b"fine")
            for path, content in found.items():
                self.assertIn(content if isinstance(content, str) else set(content), ("symlink", set(), {ord("x")}), path)
        self.assert_idle()

    def test_a_fork_bomb_is_gone_first(self):
        result = self.collect("bash", _GOOD + "f() { f | f & }; f; sleep 0.3; exit 0", ["good"])
        self.assertEqual(self.contents(result), {"good": b"fine\n"})
        self.assert_idle()

    def test_a_scratch_space_that_is_full(self):
        code = _GOOD + "head -c 64M /dev/zero > /tmp/fill 2>/dev/null; head -c 64M /dev/zero > /dev/shm/fill 2>/dev/null; true"
        self.assert_collected(code, ["good"], {"good": b"fine\n"})

    def test_a_memory_that_is_full_of_files(self):
        """What is left may not be enough to show them; then that is said, and the verdict stands."""
        code = _GOOD + "head -c 40M /dev/zero > fill 2>/dev/null; exit 3"
        result = self.collect("bash", code, ["good"], limits={"memory_bytes": 24 << 20})
        self.assertIn(result["status"], ("failed", "memory_exceeded"))
        self.assertIn(self.contents(result)["good"], (b"fine\n", "jail_lost"))

    def test_a_client_that_leaves_is_not_waited_for(self):
        self.assert_idle()
        with self.daemon.connect() as connection:
            connection.send_request("POST", "/api/v1/execute", job("bash", "sleep 30", collect=["*"]))
            wait_until(lambda: self.daemon.health()["pool"]["running"] == 1, 10, "it runs")
        with Stopwatch() as watch:
            self.assert_idle()
        self.assertLess(watch.seconds, 15)

    def test_stubborn_patterns(self):
        name = "a" * 255
        code = f"import os\nopen('good', 'w').write('fine')\nfor i in range(2000): os.mkdir('{name[:250]}%05d' % i) if i else 0\n"
        with Stopwatch() as watch:
            result = self.collect("python", code, ["good", *["*a" * 200 + "b"] * 31])
        self.assertLess(watch.seconds, 15)
        self.assertEqual(self.contents(result).get("good"), b"fine")


class Refused(ApiTest):
    def test_patterns_that_leave_the_working_directory(self):
        for pattern in ("", "/etc/passwd", "/", "..", "../*", "a/../../b", "a/..", ".", "./a", "a/", "a//b", "a\0b", "x" * 1001,
                        "a/" * 64 + "a"):
            with self.subTest(pattern=pattern[:20]):
                self.assert_refused(job("bash", "true", collect=["ok", pattern]), 400, "collect[1]")

    def test_patterns_that_are_none(self):
        for pattern in ("[", "a[b", "[]", "[z-a]", 5, None, {}, []):
            with self.subTest(pattern=pattern):
                self.assert_refused(job("bash", "true", collect=[pattern]), 400, "collect[0]")
        for collect in ("*", 5, {}, True):
            with self.subTest(collect=collect):
                self.assert_refused(job("bash", "true", collect=collect), 400, "collect")

    def test_too_many(self):
        self.assert_refused(job("bash", "true", collect=["a"] * 33), 400, "collect")
        self.assert_completed(self.run_code("bash", "true", collect=["a*"] * 32))


class Rights(CollectTest):
    """What pid 1 may do is seen from outside: a guest can't look at it."""
    def capabilities_of_pid_1(self, language, code, collect):
        body = job(language, code, collect=collect, limits={"wall_time_ms": 5000})
        with self.daemon.connect() as connection:
            connection.send_request("POST", "/api/v1/execute", body)
            jobs = self.daemon.state_dir / "jobs"
            wait_until(lambda: list(jobs.glob("*.json")), 10, "it has a card")
            job_id = next(jobs.glob("*.json")).stem
            # The order that says whether files are collected may still be on its way.
            wait_until(lambda: bool(collect) == bool(self.effective(job_id)), 10, "pid 1 has heard of its job")
            found = self.sets_of_pid_1(job_id)
        self.assert_idle()
        return found

    def sets_of_pid_1(self, job_id):
        pids = {pid for group in cgroups_of(job_id) for pid in pathlib.Path(group, "cgroup.procs").read_text().split()}
        for pid in pids:
            status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
            if status["Name"].strip() == "sandbox_init":
                return {name: int(status[f"Cap{name}"], 16) for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")}
        raise AssertionError(f"no pid 1 among {pids}")

    def effective(self, job_id):
        return self.sets_of_pid_1(job_id)["Eff"]

    def test_pid_1_has_two_capabilities_where_files_are_collected_and_else_none(self):
        two = 1 << 5 | 1 << 2  # CAP_KILL, CAP_DAC_READ_SEARCH
        sleep = {"python": "import time; time.sleep(30)", "bash": "sleep 30", "node": "setTimeout(() => 0, 30000)"}
        for language, code in sleep.items():
            for collect, expected in (([], 0), (["x"], two)):
                with self.subTest(language, collect=collect):
                    sets = self.capabilities_of_pid_1(language, code, collect)
                    self.assertEqual(sets, {"Inh": 0, "Prm": expected, "Eff": expected, "Bnd": 0, "Amb": 0})


class Queued(CollectTest):
    def submit(self, language, code, patterns):
        submitted = self.daemon.request("POST", "/api/v1/jobs", job(language, code, collect=patterns))
        self.assertEqual(submitted.status, 202, submitted)
        return submitted.json["job_id"]

    def state(self, job_id):
        return self.daemon.request("GET", f"/api/v1/jobs/{job_id}").json

    def result_of(self, job_id):
        wait_until(lambda: self.state(job_id)["state"] == "finished", 20, "the job has finished")
        return self.state(job_id)["result"]

    def test_one_that_is_cancelled(self):
        job_id = self.submit("bash", _GOOD + "sleep 30", ["*d"])
        wait_until(lambda: self.state(job_id)["state"] == "running", 20, "it runs")
        wait_until(lambda: self.daemon.request("DELETE", f"/api/v1/runs/{job_id}").status == 202, 5, "it is cancelled")
        result = self.result_of(job_id)
        self.assertEqual(result["status"], "cancelled")
        # It may have been too early for the program, or even for its jail.
        self.assertIn(self.contents(result), ({"good": b"fine\n"}, {}, {"*d": "jail_lost"}))

    def test_a_queued_jobs_result_has_them(self):
        result = self.result_of(self.submit("python", "open('a', 'wb').write(b'\\xff')", ["a"]))
        self.assertEqual(result["files"], [{"path": "a", "bytes": 1, "mode": "0644", "encoding": "base64",
                                            "content": base64.b64encode(b"\xff").decode()}])
