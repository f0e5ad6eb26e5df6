"""What a program writes comes back: all of it up to the cap, valid, counted, and promptly (reports R1 to R5)."""

import base64

from api.base import ApiTest, Stopwatch, module_daemon, unique_seconds
from api.results import LIMITS, events_of
from support.process import processes_with

setUpModule, tearDownModule = module_daemon()

CAP = LIMITS["output_bytes"]
ALL_BYTES = bytes(range(256))
_FLOOD = {
    "python": "import sys\nsys.stdout.write('x' * 2000000); sys.stdout.flush(); sys.stderr.write('done\\n')",
    "node": "process.stdout.write('x'.repeat(2000000)); process.stderr.write('done\\n')",
    "bash": "head -c 2000000 /dev/zero | tr '\\0' x; echo done >&2"
}


def writing(stream, data):
    """A python program that writes these very bytes."""
    return f"import os\nos.write({stream}, {data!r})"


class OutputBeforeAKill(ApiTest):
    def test_r1_flushed_output_survives_the_watchdog(self):
        """R1: what was flushed is there; what sat in the guest's own buffer is lost, every time."""
        code = "import time\nprint('early', flush=True); print('late'); time.sleep(60)"
        results = self.run_all([("python", code, {"limits": {"wall_time_ms": 1500}})] * 3, at_once=2)
        for result in results:
            self.assert_ended(result, "timeout", 137, "SIGKILL")
            self.assertEqual(result["stdout"], "early\n")

    def test_r1_in_node_and_bash(self):
        limits = {"limits": {"wall_time_ms": 1500}}
        cases = [("node", "console.log('early'); console.error('err'); setTimeout(() => {}, 60000)", limits),
                 ("bash", "echo early; echo err >&2; sleep 60", limits)]
        for result in self.run_all(cases):
            self.assert_ended(result, "timeout", 137, "SIGKILL")
            self.assertEqual((result["stdout"], result["stderr"]), ("early\n", "err\n"))

    def test_output_before_a_signal_is_kept(self):
        """The kind of R1: a death by any other cause keeps what was written, too."""
        result = self.run_code("bash", "echo before; kill -SEGV $$")
        self.assert_ended(result, "signaled", 139, "SIGSEGV")
        self.assertEqual(result["stdout"], "before\n")
        result = self.run_code("python", "import os\nos.write(1, b'before')\nx = b'x' * (1 << 30)")
        self.assert_ended(result, "memory_exceeded", 137, "SIGKILL")
        self.assertEqual(result["stdout"], "before")


class OutputPastTheCap(ApiTest):
    def test_r2_is_drained_and_the_program_ends_by_itself(self):
        """R2: in each language, 2,000,000 bytes on stdout do not stop the program from ending."""
        for language, code in _FLOOD.items():
            with self.subTest(language):
                result = self.run_code(language, code)
                self.assert_completed(result, "x" * CAP, "done\n")
                self.assertEqual((result["stdout_bytes"], result["stderr_bytes"]), (2000000, 5))
                self.assertEqual((result["stdout_truncated"], result["stderr_truncated"]), (True, False))
                self.assertLess(result["wall_time_ms"], 3500)

    def test_r2_both_streams_at_once(self):
        code = ("import os\nfor _ in range(200):\n  os.write(1, b'o' * 10000)\n  os.write(2, b'e' * 10000)\n")
        result = self.run_code("python", code)
        self.assert_completed(result, "o" * CAP, "e" * CAP)
        self.assertEqual((result["stdout_bytes"], result["stderr_bytes"]), (2000000, 2000000))

    def test_r2_sixty_four_mebibytes(self):
        result = self.run_code("bash", "head -c 64M /dev/zero; echo done >&2")
        self.assert_completed(result, "\0" * CAP, "done\n")
        self.assertEqual(result["stdout_bytes"], 64 << 20)

    def test_endless_output_ends_with_the_wall_clock(self):
        result = self.run_code("bash", "yes", limits={"wall_time_ms": 1000})
        self.assert_ended(result, "timeout", 137, "SIGKILL")
        self.assertEqual(result["stdout"], "y\n" * (CAP // 2))
        self.assertGreater(result["stdout_bytes"], CAP)

    def test_output_of_exactly_the_cap_is_whole(self):
        for size, truncated in ((1000, False), (1001, True)):
            result = self.run_code("python", writing(1, b"z" * size), limits={"output_bytes": 1000})
            self.assert_completed(result, "z" * 1000)
            self.assertEqual(result["stdout_truncated"], truncated)

    def test_each_truncated_stream_is_told(self):
        result = self.run_code("bash", "echo 123456789; echo 123456789 >&2", limits={"output_bytes": 4})
        self.assert_completed(result, "1234", "1234")
        told = " ".join(event["detail"] for event in events_of(result, "output_truncated"))
        self.assertIn("stdout", told)
        self.assertIn("stderr", told)


class Characters(ApiTest):
    def test_r3_no_half_character_at_the_cap(self):
        """R3: the character that the cap cuts is dropped whole, on stdout and on stderr."""
        data = "os.write({}, b'a' * 524287 + 'é'.encode() * 10)"
        result = self.run_code("python", "import os\n" + data.format(1) + "\n" + data.format(2))
        self.assert_completed(result, "a" * 524287, "a" * 524287)
        self.assertEqual((result["stdout_bytes"], result["stderr_bytes"]), (524307, 524307))

    def test_r3_characters_of_three_and_four_bytes(self):
        for character in ("€", "😀"):
            width = len(character.encode())
            for cap in range(width, 2 * width + 1):
                with self.subTest(character=character, cap=cap):
                    result = self.run_code("python", writing(1, character.encode() * 3), limits={"output_bytes": cap})
                    self.assert_completed(result, character * (cap // width))

    def test_r3_a_byte_that_starts_no_character_is_no_half_character(self):
        result = self.run_code("python", writing(1, b"aaaa\xffbb"), limits={"output_bytes": 5})
        self.assert_completed(result, "aaaa\ufffd")

    def test_r3_base64_gives_the_bytes_up_to_the_cap(self):
        result = self.run_code("python", writing(1, "€€".encode()), limits={"output_bytes": 5},
                               output_encoding="base64")
        self.assertEqual(base64.b64decode(result["stdout"], validate=True), "€€".encode()[:5])

    def test_r3_a_character_written_byte_by_byte(self):
        code = "import os, time\nfor byte in 'é€😀'.encode():\n  os.write(1, bytes([byte])); time.sleep(0.02)"
        self.assert_completed(self.run_code("python", code), "é€😀")

    def test_r4_all_byte_values(self):
        """R4: any bytes give strict UTF-8 and raw counts, in each language and on both streams."""
        octal = "".join(f"\\{value:03o}" for value in ALL_BYTES)
        programs = {
            "python": writing(1, ALL_BYTES) + "\n" + writing(2, ALL_BYTES),
            "node": "const b = Buffer.from([...Array(256).keys()]); fs = require('fs');"
            "fs.writeSync(1, b); fs.writeSync(2, b)", "bash": f"printf '{octal}'; printf '{octal}' >&2"
        }
        expected = ALL_BYTES.decode("utf-8", "replace")
        for language, code in programs.items():
            with self.subTest(language):
                result = self.run_code(language, code)
                self.assert_completed(result, expected, expected)
                self.assertEqual((result["stdout_bytes"], result["stderr_bytes"]), (256, 256))
                result = self.run_code(language, code, output_encoding="base64")
                for stream in ("stdout", "stderr"):
                    self.assertEqual(base64.b64decode(result[stream], validate=True), ALL_BYTES)

    def test_r4_every_kind_of_ill_formed_utf8(self):
        """Overlong forms, surrogates, beyond U+10FFFF, stray and missing continuations, noncharacters and a BOM."""
        data = (
            b"\xc0\xaf|\xe0\x80\xaf|\xf0\x80\x80\xaf|\xed\xa0\x80|\xed\xb0\x80|\xf4\x90\x80\x80|\xf8\x88\x80\x80\x80|"
            b"\x80|\xbf\xbf|\xc3|\xe2\x82|\xf0\x9f\x98|\xc3(|\xe2\x28\xa1|\xef\xbf\xbe|\xef\xbb\xbf|\x7f|\x00|\xc3")
        result = self.run_code("python", writing(1, data))
        self.assert_completed(result, data.decode("utf-8", "replace"))
        self.assertEqual(result["stdout_bytes"], len(data))

    def test_what_json_must_escape(self):
        text = "".join(map(chr, range(32))) + '"\\/\x7f\u2028\u2029</script>'
        self.assert_completed(self.run_code("python", writing(1, text.encode())), text)

    def test_no_output_is_empty_text(self):
        for encoding in ("utf8", "base64"):
            self.assert_completed(self.run_code("bash", "true", output_encoding=encoding), "", "")


class OrphansHoldingOutput(ApiTest):
    def test_r5_an_orphan_that_holds_stdout_delays_nothing(self):
        """R5: the answer comes when the program ends, and the orphan is dead by then."""
        programs = {
            "python": "import subprocess\nsubprocess.Popen(['sleep', '{}'])\nprint('hi')",
            "node": "require('child_process').spawn('sleep', ['{}'], {{stdio: 'inherit', detached: true}})"
            ".on('spawn', () => {{ console.log('hi'); process.exit(0) }})", "bash": "(sleep {} &); echo hi"
        }
        for language, code in programs.items():
            with self.subTest(language):
                duration = unique_seconds()
                with Stopwatch() as watch:
                    result = self.run_code(language, code.format(duration))
                self.assertEqual(processes_with(duration), [])
                self.assert_completed(result, "hi\n")
                self.assertLess(watch.seconds, 4)

    def test_r5_an_orphan_in_a_session_of_its_own(self):
        duration = unique_seconds()
        result = self.run_code(
            "bash", f"setsid sleep {duration} & setsid bash -c 'trap \"\" TERM HUP INT; "
            f"sleep {duration}' & echo hi; disown -a; exit 3")
        self.assertEqual(processes_with(duration), [])
        self.assert_ended(result, "failed", 3)
        self.assertEqual(result["stdout"], "hi\n")

    def test_r5_output_of_an_orphan_up_to_the_end_is_kept(self):
        code = "(while :; do echo orphan; sleep 0.01; done) & sleep 0.3; echo main"
        result = self.run_code("bash", code)
        self.assert_completed(result)
        self.assertIn("orphan\n", result["stdout"])
        self.assertIn("main\n", result["stdout"])

    def test_a_program_that_closes_its_output_early_goes_on(self):
        """The kind of R5 turned round: end of file on stdout is not the end of the job."""
        code = "echo first; exec 1>&- 2>&-; sleep 0.5; exit 9"
        result = self.run_code("bash", code)
        self.assert_ended(result, "failed", 9)
        self.assertEqual(result["stdout"], "first\n")
        self.assertGreaterEqual(result["wall_time_ms"], 450)
