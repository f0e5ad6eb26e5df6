"""The daemon's command line and configuration: wrong is refused at the start, in one sentence, with the place."""

import pathlib
import socket
import subprocess
import tempfile

from api.base import ApiTest, job
from support.daemon import Daemon
from support.process import program


def run(*args, config=None):
    """Runs outriggerd to an end that must come by itself."""
    with tempfile.TemporaryDirectory(prefix="outrigger-test-") as directory:
        command = [program("outriggerd"), *args]
        if config is not None:
            file = pathlib.Path(directory) / "config.toml"
            file.write_text(config, encoding="utf-8")
            command += ["--config", str(file)]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False,
                              stdin=subprocess.DEVNULL)


class Configuration(ApiTest):
    def assert_refused_at_start(self, ended, *words, status=1):
        self.assertEqual(ended.returncode, status, ended)
        self.assertEqual(ended.stdout, "")
        for word in words:
            self.assertIn(word, ended.stderr)
        self.assertLessEqual(ended.stderr.strip().count("\n"), 1, ended.stderr)

    def test_mistakes_are_named_with_their_place(self):
        for config, words in (("[server]\nlisten_on = 1\n", ("listen_on", "2")), ("[sever]\nport = 1\n", ("sever", )),
                              ("[pool]\n\nslots = 0\n", ("slots", "3")), ("[pool]\nslots = \"16\"\n", ("slots", "2")),
                              ("[pool]\nslots = 16\nslots = 17\n", ("slots", )), ("[limits]\npids = 1e9\n",
                                                                                  ("pids", )), ("[limits]\npids = 64\n",
                                                                                                ("pids", "ceilings")),
                              ("[limits]\nwall_time_ms = -1\n",
                               ("wall_time_ms", )), ("[limits]\ncpu_cores = nan\n",
                                                     ("cpu_cores", )), ("[limits]\ncpu_cores = inf\n", ("cpu_cores", )),
                              ("not toml at all", ("1", )), ("[server]\nlisten = \"nowhere\"\n", ("listen", )),
                              ("[server]\ntokens = [\"\"]\n", ("tokens", )), ("[server]\ntokens = \"x\"\n",
                                                                              ("tokens", )),
                              ("[log]\nlevel = \"loud\"\n", ("level", )), ("[jail]\nuid_base = 0\n", ("uid_base", ))):
            with self.subTest(config):
                self.assert_refused_at_start(run("--check-config", config=config), "config.toml", *words)

    def test_what_is_wrong_with_stores_is_found_without_asking_anybody(self):
        for config, words in (("[webhook]\nallow = [\"http://x/\"]\n", ("allow", )),
                              ("[webhook]\nallow = [\"x\"]\npermitted_networks = [\"10.0.0.0/99\"]\n", ("10.0.0.0/99", )),
                              ("[queue]\nredis.url = \"redis://:pass@word@host:x/0\"\n", ("redis", )),
                              ("[queue]\nlease_ms = 1\n", ("lease_ms", "2")), ("node = \"a b\"\n", ("node", )),
                              ("[audit]\nwhen_full = \"panic\"\n", ("when_full", ))):
            with self.subTest(config):
                ended = run("--check-config", config=config)
                self.assert_refused_at_start(ended, *words)
                self.assertNotIn("pass@word", ended.stderr)
        good = "[queue]\nredis.url = \"redis://:secret@127.0.0.1:1/0\"\n[audit]\npostgres.url = \"postgresql://u:p@127.0.0.1:1/x\"\n"
        self.assertEqual(run("--check-config", config=good).returncode, 0, "nobody is asked")

    def test_check_config_says_yes_and_starts_nothing(self):
        ended = run("--check-config",
                    config="[pool]\nslots = 4\n[ceilings]\nwall_time_ms = 60000\n[limits]\nwall_time_ms = 10000\n")
        self.assertEqual(ended.returncode, 0, ended)

    def test_a_named_file_must_exist(self):
        self.assert_refused_at_start(run("--check-config", "--config", "/nonexistent/outrigger.toml"),
                                     "/nonexistent/outrigger.toml")

    def test_wrong_options_are_usage_errors(self):
        for args in (["--no-such-option"], ["--listen"], ["surplus"]):
            with self.subTest(args):
                ended = run(*args)
                self.assertEqual(ended.returncode, 2, ended)
                self.assertEqual(ended.stdout, "")
                self.assertTrue(ended.stderr.strip())
        self.assertIn(run("--listen", "nowhere").returncode, (1, 2))

    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"\d+\.\d+\.\d+")
        helped = run("--help")
        self.assertEqual(helped.returncode, 0)
        for option in ("--listen", "--state-dir", "--config", "--check-config"):
            self.assertIn(option, helped.stdout)

    def test_a_taken_port_is_said(self):
        with socket.socket() as taken, tempfile.TemporaryDirectory(prefix="outrigger-test-") as state:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.assert_refused_at_start(run("--listen", f"127.0.0.1:{port}", "--state-dir", state), str(port),
                                         "in use")

    def test_raised_ceilings_and_defaults_are_in_force(self):
        config = ("[limits]\nwall_time_ms = 8000\npids = 40\n"
                  "[ceilings]\nwall_time_ms = 9000\npids = 50\nmemory_bytes = 67108864\n")
        with Daemon(config) as daemon:
            limits = self.run_code("bash", "true", daemon)["limits"]
            self.assertEqual((limits["wall_time_ms"], limits["pids"], limits["memory_bytes"]), (8000, 40, 67108864))
            limits = self.run_code("bash", "true", daemon, limits={"wall_time_ms": 9000, "pids": 50})["limits"]
            self.assertEqual((limits["wall_time_ms"], limits["pids"]), (9000, 50))
            self.assert_refused(job("bash", "true", limits={"pids": 51}), 400, "limits.pids", daemon)
            self.assert_refused(job("bash", "true", limits={"memory_bytes": 67108865}), 400, "limits.memory_bytes",
                                daemon)
            self.assert_completed(self.run_code("bash", "sleep 5.5; echo late", daemon), "late\n")

    def test_its_log_says_where_it_listens_and_stdout_stays_empty(self):
        with Daemon(args=["--log-format", "json"]) as daemon:
            text = daemon.stderr_text()
            self.assertIn(str(daemon.port), text)
            for line in text.strip().splitlines():
                self.assertTrue(line.startswith("{") and line.endswith("}"), line)
