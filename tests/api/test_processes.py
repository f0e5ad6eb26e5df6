"""Processes, signals and exit statuses as their program's author expects them (reports R6 to R9, R17)."""

import signal

from api.base import ApiTest, module_daemon
from api.results import events_of, incidents

setUpModule, tearDownModule = module_daemon()

# Whose default action ends a process. XCPU is the CPU limit's own and SIGKILL has tests of its own.
_DEADLY = ("HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM",
           "STKFLT", "XFSZ", "VTALRM", "PROF", "IO", "PWR", "SYS")


class Signals(ApiTest):
    def test_r6_a_program_can_kill_itself(self):
        """R6: the guest is not pid 1, so that a signal's default action works."""
        cases = [("python", "import os, signal\nos.kill(os.getpid(), signal.SIGTERM); print('still here')", 15,
                  "SIGTERM"), ("node", "process.abort(); console.log('still here')", 6, "SIGABRT"),
                 ("node", "process.kill(process.pid, 'SIGTERM'); setTimeout(() => console.log('still here'), 2000)", 15,
                  "SIGTERM"), ("bash", "kill -ABRT $$; echo still here", 6, "SIGABRT")]
        results = self.run_all([(language, code, {}) for language, code, _, _ in cases])
        for (language, code, number, name), result in zip(cases, results):
            with self.subTest(language=language, code=code):
                self.assert_ended(result, "signaled", 128 + number, name)
                self.assertEqual(result["stdout"], "")

    def test_r6_every_deadly_signal_has_its_name(self):
        code = "import os, signal\nsignal.signal({0}, signal.SIG_DFL)\nos.kill(os.getpid(), {0})\nprint('still here')"
        numbers = {name: int(signal.Signals[f"SIG{name}"]) for name in _DEADLY}
        results = self.run_all([("python", code.format(number), {}) for number in numbers.values()])
        for (name, number), result in zip(numbers.items(), results):
            with self.subTest(name):
                self.assert_ended(result, "signaled", 128 + number, f"SIG{name}")
                self.assertEqual((result["stdout"], incidents(result)), ("", []))

    def test_r6_a_real_time_signal(self):
        result = self.run_code("python", "import os, signal\nos.kill(os.getpid(), signal.SIGRTMIN + 3)")
        self.assertEqual((result["status"], result["exit_code"]), ("signaled", 128 + int(signal.SIGRTMIN) + 3))

    def test_r6_pid_1_is_not_the_program(self):
        for language, code in (("python", "import os\nprint(os.getpid() != 1)"),
                               ("node", "console.log(process.pid != 1)"), ("bash", "[ $$ != 1 ] && echo True")):
            with self.subTest(language):
                self.assertEqual(self.run_code(language, code)["stdout"].lower(), "true\n")

    def test_handlers_and_stopping_work(self):
        """The kind of R6: signals are delivered to handlers, and a stopped child can be continued."""
        code = ("trap 'echo caught; exit 4' TERM; sleep 60 & other=$!; kill -STOP $other; kill -CONT $other; "
                "kill $other; wait $other; echo $?; (kill -TERM $$) & while :; do sleep 0.05; done")
        result = self.run_code("bash", code)
        self.assert_ended(result, "failed", 4)
        self.assertEqual(result["stdout"], "143\ncaught\n")

    def test_r9_who_sent_sigkill(self):
        """R9: by itself, by the watchdog, by the memory ceiling: three statuses, never guessed from 137."""
        spin = "x = b'x' * (100 << 20)\nwhile True: pass"
        own, watchdog, memory = self.run_all([("bash", "kill -9 $$", {}),
                                              ("python", spin, {"limits": {"wall_time_ms": 2000}}),
                                              ("python", "x = b'x' * (1 << 30)\nprint('still here')", {})])
        self.assert_ended(own, "signaled", 137, "SIGKILL")
        self.assert_ended(watchdog, "timeout", 137, "SIGKILL")
        self.assertGreater(watchdog["peak_memory_bytes"], 100 << 20)
        self.assertFalse(watchdog["cgroup_oom_triggered"])
        self.assert_ended(memory, "memory_exceeded", 137, "SIGKILL")
        self.assertTrue(memory["cgroup_oom_triggered"])
        self.assertGreaterEqual(memory["oom_kills"], 1)
        self.assertTrue(events_of(memory, "oom_kill"))
        self.assertFalse(own["cgroup_oom_triggered"])


class ExitStatuses(ApiTest):
    def test_r8_as_the_program_gave_it(self):
        """R8: an exit status that looks like a signal's is an exit status."""
        cases = [("python", "import sys\nsys.exit(139)", 139), ("python", "import sys\nsys.exit(-1)", 255),
                 ("python", "import sys\nsys.exit(137)", 137), ("python", "import sys\nsys.exit('sorry')", 1),
                 ("python", "raise ValueError('no')", 1), ("python", "import os\nos._exit(159)", 159),
                 ("node", "process.exit(139)", 139), ("node", "process.exitCode = 152", 152),
                 ("node", "throw new Error('no')", 1), ("bash", "exit 300", 44), ("bash", "exit 137", 137),
                 ("bash", "exit 255", 255), ("bash", "no_such_command", 127), ("bash", "false", 1)]
        results = self.run_all([(language, code, {}) for language, code, _ in cases])
        for (language, code, expected), result in zip(cases, results):
            with self.subTest(language=language, code=code):
                self.assert_ended(result, "failed", expected)
                self.assertFalse(result["cgroup_oom_triggered"])
                self.assertEqual(incidents(result), [])

    def test_r8_a_real_segmentation_fault(self):
        cases = [("python", "import ctypes\nctypes.string_at(0)", {}),
                 ("node", "process.kill(process.pid, 'SIGSEGV'); setTimeout(() => {}, 2000)", {}),
                 ("bash", "kill -SEGV $$", {})]
        for result in self.run_all(cases):
            self.assert_ended(result, "signaled", 139, "SIGSEGV")

    def test_a_syntax_error_is_the_programs_own_failure(self):
        cases = [("python", "def (", 1, "SyntaxError"), ("node", "let 5", 1, "SyntaxError"),
                 ("bash", "if", 2, "syntax error")]
        results = self.run_all([(language, code, {}) for language, code, _, _ in cases])
        for (_, _, status, word), result in zip(cases, results):
            self.assert_ended(result, "failed", status)
            self.assertIn(word, result["stderr"])

    def test_the_main_process_ends_the_job(self):
        """A child's status is its parent's affair: the job's is the main process's."""
        result = self.run_code("python", "import os\nif os.fork() == 0: os.abort()\nos.wait()\nprint('parent')")
        self.assert_completed(result, "parent\n")


class Children(ApiTest):
    def test_r7_orphans_are_reaped(self):
        """R7: a hundred orphans do not fill the 32 tasks."""
        code = (
            "import os\nfor _ in range(100):\n  pid = os.fork()\n  if pid == 0:\n    if os.fork() == 0: os._exit(0)\n"
            "    os._exit(0)\n  os.waitpid(pid, 0)\nprint('ok')")
        self.assert_completed(self.run_code("python", code), "ok\n")

    def test_r7_in_node_and_bash(self):
        node = ("const {spawnSync} = require('child_process');"
                "for (let i = 0; i < 40; i++) { const r = spawnSync('/bin/bash', ['-c', '(true &)']);"
                "  if (r.error || r.status) throw r.error || r.status } console.log('ok')")
        bash = "for i in {1..100}; do (true & ) || exit 1; done; wait; echo ok"
        for result in self.run_all([("node", node, {}), ("bash", bash, {})]):
            self.assert_completed(result, "ok\n", "")

    def test_r7_the_number_of_children_a_parent_waits_for(self):
        code = (
            "import subprocess\nstatuses = [subprocess.run(['sh', '-c', f'exit {n}']).returncode for n in range(60)]\n"
            "print(statuses == list(range(60)))")
        self.assert_completed(self.run_code("python", code), "True\n")

    def test_pipelines_and_job_control(self):
        self.assert_completed(self.run_code("bash", "seq 1000 | sort -rn | head -3 | paste -sd, ; wait"),
                              "1000,999,998\n")

    def test_r17_threads_start(self):
        """R17: clone3 is answered in a way that lets libc fall back to clone."""
        python = ("import threading\nfound = []\n"
                  "threads = [threading.Thread(target=found.append, args=(n,)) for n in range(16)]\n"
                  "[t.start() for t in threads]; [t.join() for t in threads]\nprint(sorted(found) == list(range(16)))")
        node = ("const {Worker, isMainThread, parentPort} = require('worker_threads');"
                "new Worker('require(\"worker_threads\").parentPort.postMessage(42)', {eval: true})"
                ".on('message', m => console.log(m))")
        bash = "echo {1..8} | xargs -n1 -P8 echo | sort | paste -sd,"
        results = self.run_all([("python", python, {}), ("node", node, {}), ("bash", bash, {})])
        for result, expected in zip(results, ("True\n", "42\n", "1,2,3,4,5,6,7,8\n")):
            self.assert_completed(result, expected, "")

    def test_r17_the_ways_to_start_a_process(self):
        """The kind of R17: vfork, posix_spawn, subprocess pools and node's own thread pool."""
        python = ("import os, multiprocessing, subprocess\n"
                  "pid = os.posix_spawn('/bin/true', ['true'], {})\nprint(os.waitpid(pid, 0)[1])\n"
                  "print(subprocess.check_output(['echo', 'sub'], text=True).strip())\n"
                  "queue = os.pipe()\nprocess = multiprocessing.Process(target=os.write, args=(queue[1], b'multi'))\n"
                  "process.start(); process.join()\nprint(os.read(queue[0], 10))")
        node = ("const fs = require('fs').promises, crypto = require('crypto');"
                "const hashed = new Promise(done => crypto.pbkdf2('a', 'b', 10, 8, 'sha1', done));"
                "Promise.all([fs.readFile('/etc/passwd'), hashed])"
                ".then(() => console.log('ok'))")
        first, second = self.run_all([("python", python, {}), ("node", node, {})])
        self.assert_completed(first, "0\nsub\nb'multi'\n")
        self.assert_completed(second, "ok\n", "")
