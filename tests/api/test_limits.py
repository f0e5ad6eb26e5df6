"""Each limit holds, ends the job with its own status, and shows in the counters (reports R9 to R13)."""

from api.base import ApiTest, Stopwatch, module_daemon
from api.results import LIMITS, events_of, incidents

setUpModule, tearDownModule = module_daemon()

ALONE = "a job reaches its limit of CPU time before that of the wall clock only where it gets its half of a core"
MIB = 1 << 20
_SPIN = {"python": "while True: pass", "node": "for (;;);", "bash": "while :; do :; done"}


def spinning(language, **limits):
    return language, _SPIN[language], {"limits": limits}


class Echo(ApiTest):
    def test_the_defaults_in_force_are_told(self):
        self.assertEqual(self.run_code("bash", "true")["limits"], LIMITS)
        self.assertEqual(self.run_code("bash", "true", limits={})["limits"], LIMITS)

    def test_the_limits_asked_for_are_told(self):
        asked = {
            "wall_time_ms": 4000, "cpu_time_ms": 3000, "memory_bytes": 64 * MIB, "cpu_cores": 0.25, "pids": 7,
            "output_bytes": 1000, "tmpfs_bytes": 2 * MIB
        }
        self.assertEqual(self.run_code("bash", "true", limits=asked)["limits"], asked)
        self.assertEqual(self.run_code("bash", "true", limits={"pids": 7})["limits"], {**LIMITS, "pids": 7})


class Time(ApiTest):
    def test_r10_sleeping_and_spinning(self):
        """R10: a sleeper uses no CPU; a spinner gets half a core until the wall clock, and both are shown."""
        with Stopwatch() as watch:
            sleeping, spinner = self.run_all([("bash", "sleep 60", {}), ("python", "while True: pass", {})], at_once=2)
        self.assertLess(watch.seconds, 12)
        for result in (sleeping, spinner):
            self.assert_ended(result, "timeout", 137, "SIGKILL")
            self.assertGreaterEqual(result["wall_time_ms"], 5000)
        self.assertLess(sleeping["cpu_time_ms"], 300)
        self.assertLess(spinner["cpu_time_ms"], 3300)
        self.assertGreater(spinner["cpu_time_ms"], 500)
        self.assertEqual(events_of(sleeping, "cpu_throttled"), [])
        # A machine too busy to give half a core throttles nobody; one that gave it has held back the other half.
        if spinner["cpu_time_ms"] > 2200:
            self.assertGreater(spinner["throttled_time_ms"], 0)
            self.assertTrue(events_of(spinner, "cpu_throttled"))

    def test_r10_throttling_is_shown(self):
        """A twentieth of a core is less than any busy machine gives: most of the time is spent held back."""
        (result, ) = self.run_all([spinning("bash", wall_time_ms=2000, cpu_cores=0.05)])
        self.assert_ended(result, "timeout", 137, "SIGKILL")
        self.assertGreater(result["throttled_time_ms"], 500)
        (event, ) = events_of(result, "cpu_throttled")
        self.assertRegex(event["detail"], r"\d+ ?%")

    def test_r10_cpu_time_in_each_language(self):
        """R10: the CPU limit ends the job with its own status, 152."""
        limits = {"python": 1000, "node": 700, "bash": 700}
        results = self.run_all([spinning(name, cpu_time_ms=limit) for name, limit in limits.items()], at_once=2)
        for (language, limit), result in zip(limits.items(), results):
            with self.subTest(language):
                self.assert_ended(result, "cpu_exceeded", 152, "SIGXCPU")
                # RLIMIT_CPU counts ticks, the group nanoseconds; they part where a host steals time.
                self.assertGreaterEqual(result["cpu_time_ms"], limit * 0.5)
                self.assertLess(result["cpu_time_ms"], limit + 1000)

    def test_r10_wall_clock_in_each_language(self):
        results = self.run_all([spinning(language, wall_time_ms=600) for language in _SPIN], at_once=3)
        for language, result in zip(_SPIN, results):
            with self.subTest(language):
                self.assert_ended(result, "timeout", 137, "SIGKILL")
                self.assertGreaterEqual(result["wall_time_ms"], 600)
                self.assertLess(result["wall_time_ms"], 2600)

    def test_cpu_time_below_a_second(self):
        """RLIMIT_CPU counts whole seconds: the cgroup's total decides."""
        (result, ) = self.run_all([spinning("bash", cpu_time_ms=200)])
        self.assert_ended(result, "cpu_exceeded", 152, "SIGXCPU")
        self.assertLess(result["cpu_time_ms"], 900)

    def test_cpu_time_is_the_whole_jobs(self):
        """The kind of R10: four processes share one limit, none of them reaches it alone."""
        code = "for i in 1 2 3 4; do (while :; do :; done) & done; wait"
        result = self.run_code("bash", code, limits={"cpu_time_ms": 800})
        self.assert_ended(result, "cpu_exceeded", 152, "SIGXCPU")

    def test_cpu_time_of_short_children_counts(self):
        code = "while :; do /bin/true; done"
        self.assert_ended(self.run_code("bash", code, limits={"cpu_time_ms": 500}), "cpu_exceeded", 152, "SIGXCPU")

    def test_a_handler_does_not_outlive_the_cpu_limit(self):
        code = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
        result = self.run_code("python", code, limits={"cpu_time_ms": 600})
        self.assert_ended(result, "cpu_exceeded", 152, "SIGXCPU")

    def test_a_handler_does_not_outlive_the_wall_clock(self):
        code = "trap '' TERM INT HUP XCPU ALRM QUIT; while :; do sleep 1; done"
        self.assert_ended(self.run_code("bash", code, limits={"wall_time_ms": 500}), "timeout", 137, "SIGKILL")

    def test_bandwidth_follows_cpu_cores(self):
        narrow, wide = self.run_all([spinning("bash", wall_time_ms=2000, cpu_cores=cores) for cores in (0.02, 0.5)], 2)
        self.assertLess(narrow["cpu_time_ms"], 200)
        self.assertGreater(wide["cpu_time_ms"], narrow["cpu_time_ms"] * 1.5)


class Memory(ApiTest):
    def test_r11_a_child_dies_of_memory_and_the_parent_lives(self):
        """R11: the status is the main process's own, the kill is told."""
        code = ("import os\npid = os.fork()\nif pid == 0:\n  x = b'x' * (1 << 30)\n  os._exit(0)\n"
                "print(os.waitpid(pid, 0)[1])")
        result = self.run_code("python", code)
        self.assert_completed(result, "9\n")
        self.assertGreaterEqual(result["oom_kills"], 1)
        self.assertTrue(result["cgroup_oom_triggered"])
        self.assertGreaterEqual(events_of(result, "oom_kill")[0]["count"], 1)

    def test_r11_from_bash(self):
        result = self.run_code("bash", "python3 -c 'x = b\"x\" * (1 << 30)'; echo $?")
        self.assert_completed(result, "137\n")
        self.assertTrue(events_of(result, "oom_kill"))

    def test_r12_the_scratch_space_is_full_before_memory_is(self):
        """R12: ENOSPC at 16 MiB, and nobody is killed, in each language."""
        programs = {
            "bash": "head -c 32M /dev/zero > /tmp/f; echo $?; stat -c %s /tmp/f",
            "python": "import os\nf = open('/tmp/f', 'wb', 0)\ntry:\n  while True: f.write(bytes(1 << 16))\n"
            "except OSError as e: print(e.errno == 28)\nprint(os.path.getsize('/tmp/f'))",
            "node": "const fs = require('fs'); const f = fs.openSync('/tmp/f', 'w');"
            "try { for (;;) fs.writeSync(f, Buffer.alloc(65536)) } catch (e) { console.log(e.code) }"
            "console.log(fs.statSync('/tmp/f').size)"
        }
        for language, code in programs.items():
            with self.subTest(language):
                result = self.run_code(language, code)
                self.assert_completed(result)
                word, size = result["stdout"].split()
                self.assertIn(word, ("1", "True", "ENOSPC"))
                self.assertLessEqual(int(size), 16 * MIB)
                self.assertGreater(int(size), 15 * MIB)
                self.assertFalse(result["cgroup_oom_triggered"])

    def test_r12_the_scratch_space_is_charged(self):
        """R12: 15 MiB in /tmp and 120 MiB of heap are more than 128 MiB; so are 112, which alone fit."""
        code = "open('/tmp/f', 'wb').write(bytes({} << 20))\nx = b'x' * ({} << 20)\nprint(len(x) >> 20)"
        cases = [("python", code.format(scratch, heap), {}) for scratch, heap in ((15, 120), (15, 112), (0, 112))]
        reported, both, heap_alone = self.run_all(cases, at_once=2)
        self.assert_ended(reported, "memory_exceeded", 137, "SIGKILL")
        self.assert_ended(both, "memory_exceeded", 137, "SIGKILL")
        self.assert_completed(heap_alone, "112\n")

    def test_r12_a_smaller_scratch_space(self):
        code = "head -c 4M /dev/zero > /tmp/f; stat -c %s /tmp/f"
        result = self.run_code("bash", code, limits={"tmpfs_bytes": 2 * MIB})
        self.assert_completed(result)
        self.assertLessEqual(int(result["stdout"]), 2 * MIB)

    def test_r12_files_without_content_are_bounded(self):
        code = ("import os\nn = 0\ntry:\n  while n < 1000000:\n    open(f'/tmp/{n}', 'w').close(); n += 1\n"
                "except OSError as e: print(e.errno)\n")
        self.assert_completed(self.run_code("python", code), "28\n")

    def test_r13_node_without_end(self):
        """R13: the ceiling itself, near it; or V8's own abort after real use: never an unexplained crash."""
        buffers = "const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1))"
        objects = "const kept = []; for (let i = 0;; i++) kept.push({i, text: 'x'.repeat(50) + i})"
        for result in self.run_all([("node", buffers, {}), ("node", objects, {})], at_once=2):
            self.assertIn(result["status"], ("memory_exceeded", "signaled"))
            self.assertGreater(result["peak_memory_bytes"], (100 if result["signal"] == "SIGKILL" else 40) * MIB)
            if result["status"] == "signaled":
                self.assertEqual(result["signal"], "SIGABRT")
                self.assertIn("heap", result["stderr"])

    def test_the_peak_is_near_the_ceiling(self):
        for limit in (32 * MIB, 128 * MIB):
            result = self.run_code("python", "x = b'x' * (1 << 30)", limits={"memory_bytes": limit})
            self.assert_ended(result, "memory_exceeded", 137, "SIGKILL")
            self.assertGreater(result["peak_memory_bytes"], limit * 0.85)
            self.assertLessEqual(result["peak_memory_bytes"], limit)

    def test_memory_that_fits_is_given(self):
        result = self.run_code("python", "x = b'x' * (90 << 20)\nprint(len(x))")
        self.assert_completed(result, f"{90 * MIB}\n")
        self.assertEqual((result["cgroup_oom_triggered"], result["oom_kills"]), (False, 0))
        self.assertGreater(result["peak_memory_bytes"], 90 * MIB)

    def test_a_large_address_space_is_no_memory(self):
        """V8 and others reserve what they never touch: address space is not what is limited."""
        code = ("import mmap\nflags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE\n"
                "print(len(mmap.mmap(-1, 8 << 30, flags=flags)))")
        self.assert_completed(self.run_code("python", code), f"{8 << 30}\n")

    def test_one_jobs_death_leaves_its_neighbours_alone(self):
        hungry = ("python", "x = b'x' * (1 << 30)", {})
        modest = ("python", "import time\nx = b'x' * (20 << 20)\ntime.sleep(0.3)\nprint('fine')", {})
        results = self.run_all([hungry, modest, hungry, modest, modest], at_once=5)
        for result in (results[1], results[3], results[4]):
            self.assert_completed(result, "fine\n")
            self.assertEqual((result["oom_kills"], incidents(result)), (0, []))


class Tasks(ApiTest):
    def test_threads_up_to_the_limit(self):
        """The limit is the program's: its own threads and processes, Outrigger's init not among them."""
        code = (
            "import threading\ndone = threading.Event()\nn = 1\ntry:\n  while n < 200:\n"
            "    threading.Thread(target=done.wait).start(); n += 1\nexcept RuntimeError: pass\nprint(n); done.set()")
        default, small = self.run_all([("python", code, {}), ("python", code, {"limits": {"pids": 5}})])
        for result, limit in ((default, 32), (small, 5)):
            self.assert_completed(result, f"{limit}\n")
            self.assertGreaterEqual(events_of(result, "pids_limit")[0]["count"], 1)

    def test_processes_up_to_the_limit(self):
        code = ("import os, signal\npids = []\ntry:\n  while len(pids) < 200:\n    pid = os.fork()\n"
                "    if pid == 0: signal.pause()\n    pids.append(pid)\nexcept OSError as e: print(e.errno)\n"
                "print(len(pids))")
        result = self.run_code("python", code, limits={"pids": 8})
        self.assert_completed(result, "11\n7\n")
        self.assertTrue(events_of(result, "pids_limit"))

    def test_a_fork_bomb_is_contained(self):
        result = self.run_code("bash", "f() { f | f & }; f; sleep 60", limits={"wall_time_ms": 1500})
        self.assert_ended(result, "timeout", 137, "SIGKILL")
        self.assertTrue(events_of(result, "pids_limit"))
        self.assert_completed(self.run_code("bash", "echo next"), "next\n")
