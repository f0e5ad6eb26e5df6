"""A program on a pseudo-terminal: what it sees of it, and what it can't do with it."""

from api.base import ApiTest, job, module_daemon
from support.live import Live

setUpModule, tearDownModule = module_daemon()

SIZE = {"rows": 24, "columns": 80}


class TerminalTest(ApiTest):
    def live(self, language, code, pty=None, **fields):
        return Live(self, {"request": job(language, code, **fields), "pty": pty or SIZE})


class Terminal(TerminalTest):
    def test_a_program_sees_a_terminal_of_its_size(self):
        code = ("import os, sys\n"
                "print([os.isatty(fd) for fd in (0, 1, 2)], os.get_terminal_size(), os.ttyname(0), os.environ['TERM'])\n"
                "print(os.open('/dev/tty', os.O_RDWR) > 2, os.tcgetpgrp(0) == os.getpgrp(), os.getsid(0) == os.getpid())\n"
                "print(sorted(os.listdir('/dev')), os.listdir('/dev/pts'), oct(os.stat('/dev/pts/0').st_mode))\n"
                "sys.stderr.write('err\\n')")
        live = self.live("python", code, pty={"rows": 31, "columns": 97})
        self.assert_ended(live.end(), "completed", 0)
        lines = live.out["stdout"].split("\r\n")
        self.assertEqual(lines[0], "[True, True, True] os.terminal_size(columns=97, lines=31) /dev/pts/0 xterm")
        self.assertEqual(lines[1], "True True True")
        self.assertEqual(lines[2], "['fd', 'full', 'null', 'pts', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'tty', "
                                   "'urandom', 'zero'] ['0', 'ptmx'] 0o20600")
        self.assertEqual((lines[3], live.out["stderr"]), ("err", ""))

    def test_in_every_language(self):
        for language, code in (("bash", "test -t 0 -a -t 1 -a -t 2 && stty size < /dev/tty"),
                               ("node", "console.log(`${process.stdout.isTTY} ${process.stdin.isTTY} ${process.stdout.columns}`)")):
            live = self.live(language, code)
            self.assert_ended(live.end(), "completed", 0)
            self.assertEqual(live.out["stdout"], "24 80\r\n" if language == "bash" else "true true 80\r\n")

    def test_only_who_asks_for_one_has_one(self):
        code = "import os\nprint(os.path.exists('/dev/pts'), os.path.exists('/dev/tty'), os.isatty(0))"
        self.assert_completed(self.run_code("python", code), "False False False\n")
        live = Live(self, {"request": job("python", code)})
        live.end()
        self.assertEqual(live.out["stdout"], "False False False\n")

    def test_what_is_typed_is_echoed_and_read_by_lines(self):
        live = self.live("bash", "read -r a; echo \"<$a>\"; read -r b || echo end")
        live.type("tipo\x7f\x7f\x7fypo\n")  # corrected before the line ends
        live.until("<typo>\r\n")
        live.say("stdin_end")
        self.assert_ended(live.end(), "completed", 0)
        self.assertIn("end\r\n", live.out["stdout"])

    def test_its_end_is_seen_within_a_line_too(self):
        live = self.live("python", "import sys\nprint(repr(sys.stdin.read()))")
        live.type("half")
        live.say("stdin_end")
        self.assert_ended(live.end(), "completed", 0)
        self.assertIn("'half'", live.out["stdout"])

    def test_another_size_is_told_to_the_program(self):
        live = self.live("python", "import os, select, signal\n"
                                   "signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b'%d %d\\n' % os.get_terminal_size()))\n"
                                   "print('ready', flush=True)\n"
                                   "while not select.select([0], [], [], 0.01)[0]: pass")
        live.until("ready")
        for columns, rows in ((100, 40), (20, 10)):
            live.say("resize", rows=rows, columns=columns)
            live.until(f"{columns} {rows}\r\n")
        live.type("\n")
        self.assert_ended(live.end(), "completed", 0)

    def test_a_key_interrupts_what_runs_in_front(self):
        """Ctrl-C goes to the shell's child, which job control has put there, and the shell lives on."""
        live = self.live("bash", "exec bash --norc -i")
        live.until("$ ")
        live.type("bash -c 'echo rea''dy; exec sleep 60'\n")
        live.until("ready\r\n")
        live.type("\x03")
        live.until("^C")
        live.type("echo status $?; exit 0\n")
        live.until("status 130\r\n")
        self.assert_ended(live.end(), "completed", 0)

    def test_a_signal_goes_to_the_programs_group(self):
        live = self.live("python", "import os, signal, time\n"
                                   "own, told = os.getpid(), []\n"
                                   "def tell(*_): told.append(os.write(1, b'parent' if os.getpid() == own else b'child'))\n"
                                   "signal.signal(signal.SIGTERM, tell)\n"
                                   "child = os.fork() == 0\n"
                                   "if child: os.write(1, b'ready')\n"
                                   "while not told: time.sleep(0.01)\n"
                                   "if not child: os.wait()")
        live.until("ready")
        live.say("signal", signal="SIGTERM")
        self.assert_ended(live.end(), "completed", 0)
        self.assertEqual(sorted(live.out["stdout"][5:]), sorted("childparent"))

    def test_an_interactive_shell_has_job_control(self):
        live = self.live("bash", "exec bash --norc -i")
        live.until("$ ")
        live.type("sleep 100 & jobs\n")
        live.until("Running")
        live.type("kill %1; exit 7\n")
        self.assert_ended(live.end(), "failed", 7)
        self.assertNotIn("no job control", live.out["stdout"])

    def test_pythons_prompt_edits_lines(self):
        live = self.live("bash", "exec python3 -q")
        live.until(">>> ")
        live.type("6 * 7\n")
        live.until("42\r\n>>> ")  # between two lines it has another terminal mode, in which this key is no end
        live.type("\x04")
        self.assert_ended(live.end(), "completed", 0)

    def test_all_that_was_written_before_the_end_comes(self):
        for _ in range(5):
            live = self.live("bash", "head -c 30000 /dev/zero | tr '\\0' x; echo; echo last")
            self.assert_ended(live.end(), "completed", 0)
            self.assertEqual(live.out["stdout"], "x" * 30_000 + "\r\nlast\r\n")

    def test_its_limits_are_those_of_any_job(self):
        live = self.live("bash", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
                         limits={"wall_time_ms": 1000, "output_bytes": 5000})
        result = live.end()
        self.assert_ended(result, "timeout", 137, "SIGKILL")
        self.assertEqual(len(live.out["stdout"]), 5000)
        self.assertTrue(result["stdout_truncated"])

    def test_files_come_back_and_a_leaving_client_ends_it(self):
        live = self.live("bash", "echo kept > out.txt", collect=["out.txt"])
        self.assertEqual(live.end()["files"][0]["content"], "kept\n")
        live = self.live("bash", "echo ready; sleep 60")
        live.until("ready")
        live.connection.close()
        self.assert_idle()


class Attacks(TerminalTest):
    def violation(self, code):
        live = self.live("python", "import fcntl, termios\nprint('before', flush=True)\n" + code + "\nprint('after')")
        result = live.end()
        self.assertNotIn("after", live.out["stdout"])
        return result

    def test_nobody_types_into_a_terminal_but_the_client(self):
        """R: TIOCSTI puts bytes where a terminal's other reader takes them for its user's."""
        for request in ("termios.TIOCSTI", "termios.TIOCSTI | 1 << 32", "0x541C"):  # 0x541C: TIOCLINUX
            code = f"import ctypes\nctypes.CDLL(None).syscall(16, 0, ctypes.c_ulong({request}), b'x')"
            result = self.violation(code)
            self.assert_ended(result, "security_violation", 159, "SIGSYS")
            self.assertEqual(result["security_events"][0]["syscall"], "ioctl")

    def test_what_a_terminal_can_do_to_a_host_it_can_not_here(self):
        """A console's output, a line discipline, a session's terminal: none can be had."""
        code = ("import ctypes, errno\nlibc = ctypes.CDLL(None, use_errno=True)\n"
                "for request in (0x541D, 0x5423, 0x540E, 0x5420, 0x5437):\n"  # TIOCCONS, SETD, SCTTY, PKT, VHANGUP
                "    result = libc.ioctl(0, ctypes.c_ulong(request), ctypes.byref(ctypes.c_int(1)))\n"
                "    print(result, errno.errorcode[ctypes.get_errno()])")
        live = self.live("python", code)
        self.assert_ended(live.end(), "completed", 0)
        self.assertEqual(live.out["stdout"], "-1 ENOSYS\r\n" * 5)

    def test_there_is_no_second_terminal_and_no_other_devpts(self):
        code = ("import os\n"
                "for path in ('/dev/pts/ptmx', '/dev/ptmx', '/dev/pts/1', '/dev/console', '/dev/tty0'):\n"
                "    try: os.open(path, os.O_RDWR); print(path, 'opened')\n"
                "    except OSError as error: print(path, error.errno)\n"
                "for path in ('/dev/x', '/dev/pts/x'):\n"
                "    try: open(path, 'w'); print(path, 'made')\n"
                "    except OSError as error: print(path, error.errno)\n"
                "print([line.split()[2] for line in open('/proc/self/mounts') if '/dev/pts' in line])")
        live = self.live("python", code)
        self.assert_ended(live.end(), "completed", 0)
        self.assertEqual(live.out["stdout"].split("\r\n"),
                         ["/dev/pts/ptmx 13", "/dev/ptmx 2", "/dev/pts/1 2", "/dev/console 2", "/dev/tty0 2",
                          "/dev/x 30", "/dev/pts/x 13", "['devpts']", ""])

    def test_a_hung_up_terminal_ends_nothing_but_the_program(self):
        """A guest that lets go of its terminal, or fills it, holds nobody up."""
        live = self.live("python", "import os, time\nfor fd in (0, 1, 2): os.close(fd)\ntime.sleep(0.2)\n"
                                   "os.open('/dev/tty', os.O_RDWR); os.write(0, b'back\\n')")
        self.assert_ended(live.end(), "completed", 0)
        self.assertEqual(live.out["stdout"], "back\r\n")
        live = self.live("bash", "stty -echo -icanon raw; echo ready; sleep 60", limits={"wall_time_ms": 2000})
        live.until("ready")
        for _ in range(9):
            live.type("x" * 100_000)
        self.assert_ended(live.end(), "timeout", 137, "SIGKILL")
        self.assert_idle()
