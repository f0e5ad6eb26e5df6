"""What a program finds around itself: the promises of the jail that an honest user sees (reports R17 to R19)."""

import json
import os

from api.base import LANGUAGES, ApiTest, module_daemon
from support.daemon import Daemon

_SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "marked-secret-4711", "OUTRIGGER_SECRET": "marked-secret-4712",
    "LD_LIBRARY_PATH": "/marked-secret-4713", "PYTHONPATH": "/marked-secret-4714"
}
setUpModule, tearDownModule = module_daemon(env=_SECRETS)

_ENVIRONMENT = {
    "python": "import os, json\nprint(json.dumps(dict(os.environ)))",
    "node": "console.log(JSON.stringify(process.env))",
    "bash": "python3 -c 'import os, json; print(json.dumps(dict(os.environ)))'"
}
_EXPECTED_NAMES = {
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "SHLVL", "_",
    "HOSTNAME", "TERM"
}


class Secrets(ApiTest):
    def test_r19_the_environment_holds_nothing_of_the_daemons(self):
        """R19: a short environment, fixed, the same in each job."""
        for language in LANGUAGES:
            with self.subTest(language):
                result = self.run_code(language, _ENVIRONMENT[language])
                self.assert_completed(result)
                self.assertNotIn("marked-secret", result["stdout"])
                for name in set(json.loads(result["stdout"])) - _EXPECTED_NAMES:
                    self.assertRegex(name, r"\A(PYTHON|NODE_)[A-Z_]+\Z")

    def test_r19_no_process_shows_a_secret(self):
        """R19: every readable environ, cmdline, maps, mountinfo and descriptor of /proc, searched for the marks."""
        code = (
            "import glob, os\nseen, found = 0, []\n"
            "for name in ('environ', 'cmdline', 'maps', 'mountinfo', 'status', 'comm', 'mounts', 'cgroup', 'auxv'):\n"
            "  for path in glob.glob(f'/proc/*/{name}') + glob.glob(f'/proc/*/task/*/{name}'):\n"
            "    try: data = open(path, 'rb').read()\n    except OSError: continue\n"
            "    seen += 1\n    found += [path] if any(mark in data for mark in MARKS) else []\n"
            "links = [os.readlink(p) for p in glob.glob('/proc/[0-9]*/fd/*') if os.path.lexists(p)]\n"
            "found += [l for l in links if any(mark.decode() in l for mark in MARKS)]\nprint(seen > 5, found)")
        marks = [b"marked-secret", str(self.daemon.state_dir).encode(), str(self.daemon.port).encode() + b"\0"]
        self.assert_completed(self.run_code("python", f"MARKS = {marks!r}\n{code}"), "True []\n")

    def test_r19_pid_1_shows_nothing(self):
        code = (
            "import os\nopened = lambda path: open(path, 'rb').read(1)\n"
            "for look, names in ((opened, ('environ', 'maps', 'mem', 'auxv', 'syscall', 'stack')),\n"
            "                    (os.listdir, ('cwd', 'root', 'fd', 'task/1/fd')), (os.readlink, ('exe', 'ns/mnt'))):\n"
            "  for name in names:\n    try: look('/proc/1/' + name); print('readable', name)\n"
            "    except OSError: pass\nprint('looked')")
        self.assert_completed(self.run_code("python", code), "looked\n")

    def test_only_three_descriptors_are_open(self):
        code = ("import os\nfound = []\nfor n in range(4096):\n  try: os.fstat(n); found.append(n)\n"
                "  except OSError: pass\nprint(found)")
        self.assert_completed(self.run_code("python", code), "[0, 1, 2]\n")
        self.assert_completed(self.run_code("bash", "ls /proc/self/fd | paste -sd,"), "0,1,2,3\n")  # 3 is ls's own


class Surroundings(ApiTest):
    def test_r18_devices_and_process_substitution(self):
        """R18: /dev/fd, /dev/stdin and the rest are there."""
        code = (
            "while read -r l; do echo \"got $l\"; done < <(printf 'a\\nb\\n'); cat <(echo c); echo d | cat /dev/stdin; "
            "head -c 4 /dev/urandom | wc -c")
        self.assert_completed(self.run_code("bash", code), "got a\ngot b\nc\nd\n4\n", "")

    def test_r18_the_jobs_own_streams_by_name(self):
        """The kind of R18: the streams given to the job, opened again through /dev and /proc."""
        programs = {
            "bash": "cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/fd/0",
            "python": "print(open('/dev/stdin').read(), end='', flush=True)\nopen('/dev/stdout', 'w').write('out\\n')\n"
            "open('/proc/self/fd/2', 'w').write('err\\n')",
            "node": "const fs = require('fs'); process.stdout.write(fs.readFileSync('/dev/stdin'));"
            "fs.writeFileSync('/dev/stdout', 'out\\n'); fs.writeFileSync('/dev/stderr', 'err\\n')"
        }
        for language, code in programs.items():
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code, stdin="in\n"), "in\nout\n", "err\n")

    def test_r18_what_the_devices_do(self):
        code = (
            "echo gone > /dev/null && head -c 3 /dev/zero | od -An -tx1; echo x > /dev/full || echo full; "
            "head -c 8 /dev/random | wc -c; cat /dev/null; ls /dev | sort | paste -sd,; touch /dev/shm/x && echo shm")
        result = self.run_code("bash", code)
        self.assert_completed(result)
        self.assertEqual(
            result["stdout"].split("\n"),
            [" 00 00 00", "full", "8", "fd,full,null,random,shm,stderr,stdin,stdout,urandom,zero", "shm", ""])

    def test_place_and_identity(self):
        code = ("pwd; echo $HOME; id -u; id -g; id -G; hostname; umask; nice; date +%Z; touch $HOME/x && echo home; "
                "cat /proc/sys/kernel/hostname; whoami")
        result = self.run_code("bash", code)
        self.assert_completed(
            result, "/tmp/work\n/tmp/home\n1000\n1000\n1000\nsandbox\n0022\n0\nUTC\nhome\nsandbox\nsandbox\n", "")

    def test_the_daemons_priority_is_not_the_guests(self):
        """Whoever lets the daemon go first does not mean the programs that it runs."""
        with Daemon("[pool]\nprimed_memory_bytes = 0\n") as daemon:
            os.setpriority(os.PRIO_PROCESS, daemon.jailer_pid, -7)
            looks = "import os\nprint(os.nice(0), os.sched_getscheduler(0) == os.SCHED_OTHER)"
            self.assert_completed(self.run_code("python", looks, daemon), "0 True\n")
            self.assert_completed(self.run_code("bash", "nice", daemon, limits={"pids": 20}), "0\n")

    def test_text_is_utf_8_everywhere(self):
        programs = {
            "python": "import sys, locale\nprint(sys.stdout.encoding.lower(), sys.getfilesystemencoding(), 'é😀')",
            "node": "console.log('utf-8 utf-8', 'é😀')",
            "bash": "locale charmap | tr -d '\\n' | tr A-Z a-z; x='é😀'; echo \" utf-8 é😀\"; test ${#x} = 2"
        }
        for language, code in programs.items():
            with self.subTest(language):
                self.assert_completed(self.run_code(language, code), "utf-8 utf-8 é😀\n")

    def test_the_root_is_read_only_and_tmp_is_not(self):
        code = ("for d in / /usr /etc /var /root /home /dev /proc /proc/sys /run /var/tmp /lib; do "
                "(echo x > $d/outrigger_probe) 2>/dev/null && echo writable $d; done; "
                "for d in /tmp /tmp/work /tmp/home /dev/shm; do echo x > $d/probe || echo no $d; done; "
                "test -e /sys/kernel; echo $?")
        self.assert_completed(self.run_code("bash", code), "1\n", "")

    def test_there_is_no_network(self):
        code = ("routes = open('/proc/net/route').read().splitlines()[1:]\nprint(routes)\n"
                "print([l.split(':')[0].strip() for l in open('/proc/net/dev').read().splitlines()[2:]])")
        self.assert_completed(self.run_code("python", code), "[]\n['lo']\n")

    def test_privileges_are_gone(self):
        code = "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp|Groups|SigBlk|SigIgn|SigCgt):' /proc/self/status"
        result = self.run_code("bash", code)
        self.assert_completed(result)
        fields = dict(line.split(":", 1) for line in result["stdout"].splitlines())
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "SigBlk", "SigIgn"):
            self.assertEqual(int(fields[name], 16), 0, name)
        self.assertEqual((fields["NoNewPrivs"].strip(), fields["Seccomp"].strip()), ("1", "2"))

    def test_nobody_else_is_seen(self):
        code = "ls -d /proc/[0-9]* | wc -l; cat /proc/1/status >/dev/null 2>&1; echo $?"
        result = self.run_code("bash", code)
        self.assertLessEqual(int(result["stdout"].split()[0]), 4)
        self.assertEqual(result["stdout"].split()[1], "1")

    def test_a_violation_is_named(self):
        for syscall, call in (("socket", "socket(2, 1, 0)"), ("unshare", "unshare(0x10000000)"),
                              ("chroot", "chroot(b'/tmp')"), ("mount", "mount(0, b'/tmp', b'tmpfs', 0, 0)")):
            code = f"import ctypes\nctypes.CDLL(None).{call}"
            with self.subTest(syscall):
                result = self.run_code("python", f"print('before', flush=True)\n{code}\nprint('after')")
                self.assert_ended(result, "security_violation", 159, "SIGSYS")
                self.assertEqual(result["stdout"], "before\n")
                self.assertEqual([e["syscall"] for e in result["security_events"] if e["type"] == "seccomp_violation"],
                                 [syscall])
                self.assertIn(syscall, result["cause"]["text"])
