"""The verbs below `token`: what they print, what they leave in the file, what they refuse."""

import concurrent.futures
import hashlib
import json
import re

from api.base import ApiTest
from api.cli import UNPRIVILEGED, Cli


class TokenVerbs(ApiTest):
    def setUp(self):
        super().setUp()
        self.cli = Cli()
        self.addCleanup(self.cli.close)
        self.state = self.cli.directory / "state"
        self.state.mkdir()
        self.file = self.state / "tokens" / "tokens.jsonl"

    def token(self, *words, **options):
        return self.cli("token", *words, "--state-dir", str(self.state), **options)

    def ok(self, *words):
        done = self.token(*words)
        self.assertEqual(done.returncode, 0, done)
        return done

    def document(self, *words):
        return json.loads(self.ok(*words, "--json").stdout)

    def test_the_token_is_shown_once_and_kept_as_a_digest(self):
        made = self.ok("create", "--tenant", "acme", "--expires", "30d", "--note", "CI")
        secret = made.stdout.decode().strip()
        self.assertRegex(secret, r"\Aotr_[0-9a-f]{64}\Z")
        self.assertIn(b"of acme, good until ", made.stderr)
        self.assertNotIn(secret.encode(), made.stderr)
        line = json.loads(self.file.read_text())
        self.assertEqual(line["sha256"], hashlib.sha256(secret.encode()).hexdigest())
        self.assertNotIn(secret, self.file.read_text())
        listed = self.document("list")["tokens"]
        self.assertEqual([(each["id"], each["tenant"], each["state"], each["note"]) for each in listed],
                         [(line["token"], "acme", "valid", "CI")])

    def test_json_is_one_document_a_verb(self):
        made = self.document("create", "--tenant", "acme", "--concurrent", "4", "--limit", "wall_time_ms=2000")
        self.assertEqual(made["quotas"], {"concurrent": 4, "per_minute": None, "limits": {"wall_time_ms": 2000}})
        self.assertEqual((made["tenant"], made["expires"], made["note"]), ("acme", None, None))
        quota = self.document("quota", "acme", "--per-minute", "60", "--limit", "wall_time_ms=none")
        self.assertEqual(quota, {"tenant": "acme", "concurrent": 4, "per_minute": 60, "limits": {}})
        self.assertEqual(self.document("quota", "acme"), quota)
        self.assertEqual(self.document("revoke", made["id"]), {"id": made["id"], "revoked": True})
        listed = self.document("list")
        self.assertEqual(listed["tokens"][0]["state"], "revoked")
        self.assertEqual(listed["quotas"], [quota])

    def test_a_second_token_keeps_the_tenants_quotas(self):
        self.ok("create", "--tenant", "acme", "--concurrent", "4", "--per-minute", "60")
        self.assertEqual(self.document("create", "--tenant", "acme", "--per-minute", "30")["quotas"],
                         {"concurrent": 4, "per_minute": 30, "limits": {}})

    def test_the_list_for_people(self):
        self.assertIn(b"holds no token", self.ok("list").stderr)
        self.ok("create", "--tenant", "acme", "--note", "two\nlines", "--limit", "memory_bytes=64M")
        self.ok("create", "--tenant", "*")
        text = self.ok("list").stdout.decode()
        self.assertRegex(text, re.compile(r"^ID +TENANT +STATE +CREATED +EXPIRES +NOTE$", re.M))
        self.assertRegex(text, re.compile(r"^[0-9a-f]{8} +acme +valid +\S+Z +- +two lines$", re.M))
        self.assertRegex(text, re.compile(r"^[0-9a-f]{8} +\* +valid ", re.M))
        self.assertRegex(text, re.compile(r"^acme +memory_bytes up to 67108864$", re.M))

    def test_what_is_wrong_is_said(self):
        unknown = self.token("revoke", "nothere")
        self.assertEqual((unknown.returncode, unknown.stdout), (125, b""))
        self.assertIn(b"there is no token nothere", unknown.stderr)
        self.assertEqual(self.token("create", "--tenant", "a b").returncode, 2)
        self.assertEqual(self.token("create", "--tenant", "*", "--concurrent", "3").returncode, 2)
        self.assertEqual(self.token("quota", "*").returncode, 2)
        self.file.write_text("{ broken\n")
        self.file.chmod(0o640)
        for words in (("list", ), ("create", "--tenant", "acme"), ("revoke", "x")):
            refused = self.token(*words)
            self.assertEqual(refused.returncode, 125, refused)
            self.assertIn(f"{self.file}:1: ".encode(), refused.stderr)
            error = json.loads(self.token(*words, "--json").stdout)["error"]
            self.assertEqual(error["code"], "tokens_file")
        self.assertEqual(self.file.read_text(), "{ broken\n", "it is left as it was")

    def test_without_the_right_it_says_so(self):
        self.ok("create", "--tenant", "acme")
        self.state.chmod(0o700)
        refused = self.token("create", "--tenant", "acme", prefix=("setpriv", "--reuid", "65534", "--regid", "65534",
                                                                   "--clear-groups", *UNPRIVILEGED[1:]))
        self.assertEqual(refused.returncode, 125, refused)

    def test_many_at_a_time_lose_nothing(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda _: self.document("create", "--tenant", "acme")["id"], range(40)))
        self.assertEqual({each["id"] for each in self.document("list")["tokens"]}, set(made))
        self.assertEqual(len(set(made)), 40)

    def test_comments_stay(self):
        self.ok("create", "--tenant", "acme")
        self.file.write_text("# who is who\n" + self.file.read_text())
        self.ok("create", "--tenant", "globex")
        self.assertTrue(self.file.read_text().startswith("# who is who\n"))
