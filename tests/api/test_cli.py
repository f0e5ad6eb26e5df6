"""The other verbs of `outrigger`, and what it says to somebody who does not know it yet."""

import re

from api.base import LANGUAGES, ON_DEMAND, ApiTest
from api.cli import UNPRIVILEGED, Cli
from support.http import strict_json


class Verbs(ApiTest):
    def setUp(self):
        super().setUp()
        self.cli = Cli()
        self.addCleanup(self.cli.close)

    def test_help_of_every_verb_shows_how(self):
        for verb in ([], ["run"], ["doctor"], ["runtime"], ["runtime", "list"], ["runtime", "build"], ["version"]):
            for option in ("--help", "-h"):
                with self.subTest(verb=verb, option=option):
                    ended = self.cli(*verb, option)
                    self.assertEqual((ended.returncode, ended.stderr), (0, b""))
                    self.assertIn(b"outrigger", ended.stdout)
                    self.assertRegex(ended.stdout.lower(), rb"example|usage")
        for verb in ("run", "doctor", "runtime", "version"):
            self.assertIn(verb.encode(), self.cli("--help").stdout)

    def test_no_verb_and_wrong_words_are_usage_errors_with_a_hint(self):
        for args, hint in (([], b"help"), (["rnu"], b"run"), (["runtime", "lst"], b"list"), (["run"], b"FILE"),
                           (["run", "--wall-tim-ms", "5", "x.py"], b"--wall-time-ms"), (["--nonsense"], b"help"),
                           (["run", "--pids", "many",
                             "x.py"], b"pids"), (["run", "--memory-bytes", "64Q",
                                                  "x.py"], b"memory-bytes"), (["run", "--env", "NOEQUALS",
                                                                               "x.py"], b"env")):
            with self.subTest(args):
                ended = self.cli(*args)
                self.assertEqual((ended.returncode, ended.stdout), (2, b""), ended)
                self.assertIn(hint, ended.stderr)

    def test_a_program_that_is_not_there(self):
        for name in ("missing.py", "."):
            ended = self.cli("run", "--local", "-l", "python", name)
            self.assertEqual((ended.returncode, ended.stdout), (125, b""), ended)
            self.assertIn(name.encode(), ended.stderr)

    def test_a_language_that_cannot_be_told_or_is_unknown(self):
        path = self.cli.file("noending", "echo hi")
        self.assertEqual(self.cli("run", "--local", path).returncode, 125)
        ended = self.cli("run", "--local", "-l", "cobol", path)
        self.assertEqual(ended.returncode, 125)
        self.assertIn(b"cobol", ended.stderr)

    def test_version(self):
        for args in (["version"], ["--version"]):
            ended = self.cli(*args)
            self.assertEqual(ended.returncode, 0)
            self.assertRegex(ended.stdout, rb"\d+\.\d+\.\d+")
        self.assertRegex(strict_json(self.cli("version", "--json").stdout)["version"], r"\A\d+\.\d+\.\d+")

    def test_runtime_list(self):
        ended = self.cli("runtime", "list")
        self.assertEqual(ended.returncode, 0)
        for language in LANGUAGES:
            self.assertIn(language.encode(), ended.stdout)
        listed = strict_json(self.cli("runtime", "list", "--json").stdout)
        entries = listed["runtimes"] if isinstance(listed, dict) else listed
        self.assertEqual({entry["name"] for entry in entries}, {*LANGUAGES, *ON_DEMAND})

    def test_runtime_list_where_none_is_built(self):
        ended = self.cli("runtime", "list", "--images-dir", str(self.cli.directory))
        self.assertEqual(ended.returncode, 0)
        self.assertIn(b"outrigger runtime build", ended.stdout + ended.stderr)

    def test_runtime_build_of_an_unknown_one(self):
        ended = self.cli("runtime", "build", "cobol", "--images-dir", str(self.cli.directory))
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn(b"cobol", ended.stderr)
        self.assertEqual(list(self.cli.directory.iterdir()), [])


class Doctor(ApiTest):
    def setUp(self):
        super().setUp()
        self.cli = Cli()
        self.addCleanup(self.cli.close)

    def probes(self, *args, **options):
        ended = self.cli("doctor", *args, **options)
        lines = ended.stdout.decode().splitlines()
        return ended, [line for line in lines if re.match(r"\s*(ok|FAIL)\b", line)]

    def test_all_is_well_here(self):
        """Where these tests run, jails work: one line each, all ok, status 0."""
        ended, lines = self.probes()
        self.assertEqual(ended.returncode, 0, ended.stdout.decode())
        self.assertFalse([line for line in lines if "FAIL" in line])
        text = "\n".join(lines).lower()
        for subject in ("user", "mount", "pid", "net", "ipc", "uts", "seccomp", "memory", "cpu", "pids", *LANGUAGES):
            self.assertIn(subject, text)

    def test_json_is_one_document(self):
        ended = self.cli("doctor", "--json")
        self.assertEqual(ended.returncode, 0)
        self.assertIsNotNone(strict_json(ended.stdout))

    def test_what_is_missing_is_named_with_a_remedy(self):
        ended, lines = self.probes("--images-dir", str(self.cli.directory))
        self.assertEqual(ended.returncode, 1, ended)
        self.assertTrue([line for line in lines if "FAIL" in line])
        self.assertIn(b"outrigger runtime build", ended.stdout)

    def test_without_the_right_it_fails_and_says_why(self):
        ended, lines = self.probes(prefix=UNPRIVILEGED)
        self.assertEqual(ended.returncode, 1, ended)
        self.assertTrue([line for line in lines if "FAIL" in line and re.search("root|capabilit", line)], lines)
