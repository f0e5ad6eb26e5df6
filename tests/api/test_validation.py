"""A request that breaks a rule is refused by name, quickly, and nothing runs (report R24)."""

import json
import statistics

from api.base import ApiTest, Stopwatch, job, module_daemon

setUpModule, tearDownModule = module_daemon()

GOOD = job("bash", "echo ran")


def without(name):
    return {key: value for key, value in GOOD.items() if key != name}


class Validation(ApiTest):
    def setUp(self):
        super().setUp()
        self._ended = self._summaries()
        self.addCleanup(lambda: self.assertEqual(self._summaries(), self._ended, "a refused request ran"))

    def _summaries(self):
        return len(list((self.daemon.state_dir / "terminations").iterdir()))

    def refuse(self, body, field):
        with self.subTest(field=field, body=str(body)[:200]):
            self.assert_refused(body, 400, field)

    def test_r24_a_required_field_is_missing(self):
        """R24: by absence, by null, by emptiness."""
        for name in ("tenant_id", "language", "code"):
            self.refuse(without(name), name)
            self.refuse({**GOOD, name: None}, name)
            self.refuse({**GOOD, name: ""}, name)

    def test_r24_a_value_of_the_wrong_type(self):
        wrong = {
            "tenant_id": (5, True, [], {}), "language": (5, True, [], {}), "code": (5, 1.5, False, ["x"], {}),
            "stdin": (5, True, [], {}), "args": ("a", 5, True, {}), "env": ("a", 5, True, []),
            "files": ("a", 5, True, {}), "limits": ("a", 5, True, []), "collect": ("a", 5, True, {}),
            "output_encoding": (5, True, [], {})
        }
        for name, values in wrong.items():
            for value in values:
                self.refuse({**GOOD, name: value}, name)

    def test_r24_a_wrong_value_deep_inside(self):
        for value in (5, None, True, [], {}):
            self.refuse({**GOOD, "args": ["a", value]}, "args[1]")
            self.refuse({**GOOD, "env": {"A": "x", "B": value}}, "env.B")
            self.refuse({**GOOD, "files": [{"path": "a", "content": value}]}, "files[0].content")

    def test_r24_unknown_fields(self):
        """A typing mistake must not silently drop a limit."""
        self.refuse({**GOOD, "limit": {"pids": 1}}, "limit")
        self.refuse({**GOOD, "Code": "x"}, "Code")
        self.refuse({**GOOD, "limits": {"wall_time": 1}}, "limits.wall_time")
        self.refuse({**GOOD, "limits": {"pids ": 1}}, "limits.pids ")
        self.refuse({**GOOD, "files": [{"path": "a", "content": "", "mode": 7}]}, "files[0].mode")
        self.refuse({**GOOD, "": 1}, None)

    def test_a_name_given_twice(self):
        """The last one winning, or the first, would be a guess."""
        text = json.dumps(GOOD)[:-1]
        self.refuse(text + ', "code": "true"}', "code")
        self.refuse(text + ', "limits": {"pids": 1, "pids": 32}}', "limits.pids")
        self.refuse(text + ', "env": {"A": "1", "A": "1"}}', "env.A")
        self.refuse(text + ', "c\\u006fde": "true"}', "code")
        self.refuse(text + ', "files": [{"path": "a", "path": "b", "content": ""}]}', "files[0].path")

    def test_r24_unknown_language(self):
        for language in ("cobol", "PYTHON", "python ", "../python", "python\0", "x" * 100000, "é"):
            self.refuse({**GOOD, "language": language}, "language")

    def test_tenant_names(self):
        for tenant in ("a b", "é", "a/b", "a\0b", "x" * 65, " ", "a\n", "a:b", "*"):
            self.refuse({**GOOD, "tenant_id": tenant}, "tenant_id")
        for tenant in ("a", "A-Z._9", "x" * 64, "..", "-", "."):
            self._ended += 1
            self.assertEqual(self.execute({**GOOD, "tenant_id": tenant})["tenant_id"], tenant)

    def test_environment_names_and_values(self):
        for name in ("", "1A", "A-B", "A B", "A=B", "é", "A\0B"):
            with self.subTest(name):
                error = self.assert_refused({**GOOD, "env": {name: "x"}})
                self.assertTrue(error["field"].startswith("env"), error)
        self.refuse({**GOOD, "env": {"A": "x\0y"}}, "env.A")
        self.refuse({**GOOD, "args": ["x\0y"]}, "args[0]")

    def test_encodings(self):
        for value in ("", "UTF8", "latin1", "base64 ", "utf-16"):
            self.refuse({**GOOD, "output_encoding": value}, "output_encoding")

    def test_the_body_is_no_object(self):
        for text in ("[]", "5", "null", '"x"', "true", "[{}]"):
            self.refuse(text, None)

    def test_refusals_are_quick(self):
        """Under 50 ms; the median, since the machine is shared."""
        for body in (without("code"), {**GOOD, "limits": {"pids": 99}}, "{",
                     {**GOOD, "code": "x" * (1 << 20), "nope": 1}):
            seconds = []
            for _ in range(15):
                with Stopwatch() as watch:
                    self.assert_refused(body)
                seconds.append(watch.seconds)
            self.assertLess(statistics.median(seconds), 0.05, str(body)[:100])

    def test_the_message_is_for_people(self):
        error = self.assert_refused({**GOOD, "limits": {"pids": 99}}, 400, "limits.pids")
        self.assertEqual(error["message"], "limits.pids must be an integer from 1 to 32")
        error = self.assert_refused({**GOOD, "language": "cobol"}, 400, "language")
        for known in ("python", "node", "bash"):
            self.assertIn(known, error["message"])
