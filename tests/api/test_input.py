"""Standard input, the code itself, arguments and environment reach the program unharmed (reports R14 to R16)."""

import hashlib
import json

from api.base import ApiTest, Stopwatch, job, module_daemon, side_by_side, unique_seconds
from support.process import processes_with

setUpModule, tearDownModule = module_daemon()

MIB = 1 << 20
_ECHO = {
    "python": "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())",
    "node": "process.stdin.pipe(process.stdout)", "bash": "cat"
}


class StandardInput(ApiTest):
    def test_is_passed_whole(self):
        text = "line one\nzweite Zeile: äöü € 😀\n\0 after a NUL, no newline at the end"
        for language, code in _ECHO.items():
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code, stdin=text), text)

    def test_larger_than_a_pipe_both_ways(self):
        """Neither side may wait for the other: half a mebibyte goes in while as much comes out."""
        text = "".join(f"{number:07d}\n" for number in range(65536))
        for language, code in _ECHO.items():
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code, stdin=text), text)

    def test_four_mebibytes_arrive_and_one_byte_more_is_refused(self):
        code = "import hashlib, sys\nprint(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())"
        text = "0123456789abcdef" * (4 * MIB // 16)
        result = self.run_code("python", code, stdin=text)
        self.assert_completed(result, hashlib.sha256(text.encode()).hexdigest() + "\n")
        self.assert_refused(job("python", code, stdin=text + "x"), 413, "stdin")

    def test_the_limit_counts_bytes_not_characters(self):
        self.assert_refused(job("bash", "cat | wc -c", stdin="é" * (2 * MIB + 1)), 413, "stdin")
        self.assert_completed(self.run_code("bash", "cat | wc -c", stdin="é" * (2 * MIB)), f"{4 * MIB}\n")

    def test_r14_a_program_that_never_reads(self):
        """R14: a hundred times 1 MiB for nobody; each answer right, daemon and jailer unmoved."""
        daemon, jailer = self.daemon.pid, self.daemon.jailer_pid
        programs = (("bash", "echo ok"), ("python", "print('ok')"), ("bash", "exec 0<&-; echo ok"),
                    ("bash", "read -n 1 c; echo ok"), ("bash", "head -c 100000 >/dev/null; echo ok"))
        stdin = "z" * MIB

        def one(number):
            language, code = programs[number % len(programs)]
            return self.run_code(language, code, stdin=stdin)

        for result in side_by_side(one, range(100), at_once=10):
            self.assert_completed(result, "ok\n", "")
        self.assertIsNone(self.daemon.process.poll())
        self.assertEqual((self.daemon.pid, self.daemon.jailer_pid), (daemon, jailer))
        self.assertIn(jailer, processes_with("outrigger-jailer"))

    def test_r14_never_read_until_the_watchdog(self):
        result = self.run_code("bash", "echo ok; sleep 60", stdin="z" * MIB, limits={"wall_time_ms": 700})
        self.assert_ended(result, "timeout", 137, "SIGKILL")
        self.assertEqual(result["stdout"], "ok\n")

    def test_r14_an_orphan_that_holds_stdin(self):
        duration = unique_seconds()
        with Stopwatch() as watch:
            result = self.run_code("bash", f"sleep {duration} <&0 & echo ok", stdin="z" * MIB)
        self.assertEqual(processes_with(duration), [])
        self.assert_completed(result, "ok\n")
        self.assertLess(watch.seconds, 4)

    def test_r15_none_at_all_is_end_of_file(self):
        """R15: absent, empty and null are the same: end of file at once."""
        programs = {
            "python": "input('? ')", "bash": "read -r line || { echo -n '? '; exit 1; }",
            "node": "process.stdin.on('data', () => {}).on('end', () => {"
            "process.stdout.write('? '); process.exitCode = 1 })"
        }
        for language, code in programs.items():
            for fields in ({}, {"stdin": ""}, {"stdin": None}):
                with self.subTest(language=language, fields=fields):
                    result = self.run_code(language, code, **fields)
                    self.assert_ended(result, "failed", 1)
                    self.assertEqual(result["stdout"], "? ")
                    if language == "python":
                        self.assertIn("EOFError", result["stderr"])

    def test_stdin_is_not_the_code(self):
        """An interpreter fed through stdin would take the one for the other."""
        for language, code in _ECHO.items():
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code, stdin="exit 5\n"), "exit 5\n")


class Code(ApiTest):
    def test_r16_a_quarter_megabyte(self):
        """R16: code never goes through argv, whose strings end at 128 KiB."""
        filler = "x" * 240000
        programs = {
            "python": f"x = '{filler}'\nprint(len(x))", "node": f"const x = '{filler}'; console.log(x.length)",
            "bash": f"x='{filler}'; echo ${{#x}}"
        }
        for language, code in programs.items():
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code), "240000\n")

    def test_r16_exactly_one_mebibyte_runs_and_one_byte_more_is_413(self):
        for language, comment in (("python", "#"), ("node", "//"), ("bash", "#")):
            with self.subTest(language):
                code = {"python": "print('ran')", "node": "console.log('ran')", "bash": "echo ran"}[language]
                code += "\n" + comment
                code += "x" * (MIB - len(code))
                self.assert_completed(self.run_code(language, code), "ran\n")
                self.assert_refused(job(language, code + "x"), 413, "code")

    def test_r16_the_code_is_not_in_the_command_line(self):
        code = "# needlework\nprint('needle' + 'work' in open('/proc/self/cmdline').read())"
        self.assert_completed(self.run_code("python", code), "False\n")

    def test_reaches_the_interpreter_byte_by_byte(self):
        """Line ends, a missing newline, a shebang, quotes, a leading dash, text beyond ASCII."""
        cases = [("python", "print('a')\r\nprint('b')\r\n", "a\nb\n"),
                 ("python", "#!/bin/false\nprint('é€😀')", "é€😀\n"), ("python", "\ufeffprint('bom')", "bom\n"),
                 ("python", "print(\"\"\"'\\\"$HOME`id`\"\"\")", "'\"$HOME`id`\n"),
                 ("node", "-1; console.log('é€😀')", "é€😀\n"),
                 ("node", "#!/bin/false\nconsole.log(`\\`${1}$HOME`)", "`1$HOME\n"),
                 ("bash", "--help 2>/dev/null; echo -n $?", "127"), ("bash", "cat <<'E'\n$x`y`é😀\nE", "$x`y`é😀\n")]
        results = self.run_all([(language, code, {}) for language, code, _ in cases])
        for (language, code, expected), result in zip(cases, results):
            with self.subTest(language=language, code=code):
                self.assert_completed(result, expected)

    def test_a_nul_in_the_code_reaches_the_interpreter(self):
        """R25, as far as the API goes: text is not cut at a NUL."""
        self.assert_completed(self.run_code("bash", "tr -dc '\\0' < $0 | wc -c; exit\n\0x\0\0"), "3\n")


class ArgumentsAndEnvironment(ApiTest):
    _ARGS = ["plain", "", "two words", "-c", "--help", "é😀", "quote'\"", "$HOME;`id`", "new\nline", "*"]
    _SHOW_ARGS = {
        "python": "import json, sys\nprint(json.dumps(sys.argv[1:]))",
        "node": "console.log(JSON.stringify(process.argv.slice(2)))"
    }

    def test_arguments_arrive_as_they_are(self):
        for language, code in self._SHOW_ARGS.items():
            with self.subTest(language):
                result = self.run_code(language, code, args=self._ARGS)
                self.assert_completed(result)
                self.assertEqual(json.loads(result["stdout"]), self._ARGS)
        result = self.run_code("bash", "printf '[%s]' \"$@\"", args=self._ARGS)
        self.assert_completed(result, "".join(f"[{text}]" for text in self._ARGS))

    def test_r16_an_argument_too_long_for_the_kernel_is_named(self):
        """R16: 128 KiB is execve's bound for one string; it is said before anything runs."""
        self.assert_refused(job("bash", "true", args=["a", "x" * 200000]), 400, "args[1]")
        self.assert_refused(job("bash", "true", env={"BIG": "x" * 200000}), 400, "env.BIG")
        self.assert_completed(
            self.run_code("bash", "echo ${#1} ${#BIG}", args=["x" * 130000], env={"BIG": "y" * 130000}),
            "130000 130000\n")

    def test_r16_many_arguments_too_long_together(self):
        error = self.assert_refused(job("bash", "true", args=["x" * 100000] * 40))
        self.assertTrue(error["field"].startswith("args"), error)

    def test_r16_more_arguments_than_are_taken(self):
        """However many there are: they arrive, or are refused by name; none is found out in the jail."""
        self.assert_completed(self.run_code("bash", "echo $#", args=["x" * 10] * 3000), "3000\n")
        for count in (4080, 5000, 60000):
            with self.subTest(count):
                response = self.daemon.execute(job("bash", "echo $#", args=["x"] * count))
                if response.status == 200:
                    self.assert_completed(response.json, f"{count}\n")
                else:
                    self.assertTrue(self.assert_error(response, 400)["field"].startswith("args"))
        for count in (4080, 5000, 20000):
            with self.subTest(variables=count):
                response = self.daemon.execute(job("bash", "echo $V1", env={f"V{n}": "x" for n in range(count)}))
                if response.status == 200:
                    self.assert_completed(response.json, "x\n")
                else:
                    self.assertTrue(self.assert_error(response, 400)["field"].startswith("env"))

    def test_environment_arrives(self):
        env = {"MODE": "x", "EMPTY": "", "_UNDER9": "é😀 $HOME\nline"}
        code = "import os\nprint([os.environ[name] for name in ('MODE', 'EMPTY', '_UNDER9')])"
        self.assert_completed(self.run_code("python", code, env=env), "['x', '', 'é😀 $HOME\\nline']\n")
        self.assert_completed(self.run_code("node", "console.log(process.env.MODE)", env=env), "x\n")
        self.assert_completed(self.run_code("bash", "echo $MODE", env=env), "x\n")

    def test_each_job_has_its_own(self):
        results = side_by_side(lambda n: self.run_code("bash", "echo $N $1", env={"N": str(n)}, args=[str(n)]),
                               range(40), 8)
        for number, result in enumerate(results):
            self.assert_completed(result, f"{number} {number}\n")
