"""A limit that is no limit is refused with its name and its range: never unlimited, never a crash (report R20)."""

from api.base import ApiTest, module_daemon
from api.results import LIMITS

setUpModule, tearDownModule = module_daemon()

# As text, since some are no Python numbers.
_NEVER = ("-1", "0", "0.0001", "1e18", "true", "false", '"5"', "[]", "{}", "-0", "-0.0", "1e30", "18446744073709551615",
          "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "4294967297", '""', '"unlimited"',
          "[5]", "1e-300", "-1e400", "1e400", "9" * 400)
_NOT_JSON = ("NaN", "Infinity", "-Infinity", "0x10", "1_000", "+1", "01", ".5", "1.", "1e")


def with_limit(name, text):
    return f'{{"tenant_id": "t", "language": "bash", "code": "true", "limits": {{"{name}": {text}}}}}'


class LimitValidation(ApiTest):
    def test_r20_no_limit_takes_nonsense(self):
        """R20: each limit, each kind of nonsense; the message names the field and the range."""
        for name, ceiling in LIMITS.items():
            for text in _NEVER:
                with self.subTest(limit=name, value=text[:30]):
                    error = self.assert_refused(with_limit(name, text), 400, f"limits.{name}")
                    self.assertIn(f"limits.{name}", error["message"])
                    self.assertIn(f"{ceiling:g}" if name == "cpu_cores" else str(ceiling), error["message"])

    def test_r20_what_is_not_even_json(self):
        for text in _NOT_JSON:
            with self.subTest(text):
                self.assert_refused(with_limit("pids", text))

    def test_r20_just_above_the_ceiling(self):
        for name, ceiling in LIMITS.items():
            with self.subTest(name):
                above = "0.51" if name == "cpu_cores" else str(ceiling + 1)
                self.assert_refused(with_limit(name, above), 400, f"limits.{name}")
                result = self.execute(with_limit(name, str(ceiling)))
                self.assertEqual(result["limits"], LIMITS)

    def test_r20_null_means_the_default(self):
        for name in LIMITS:
            with self.subTest(name):
                result = self.execute(with_limit(name, "null"))
                self.assert_completed(result)
                self.assertEqual(result["limits"], LIMITS)
        result = self.execute('{"tenant_id": "t", "language": "bash", "code": "true", "limits": null}')
        self.assertEqual(result["limits"], LIMITS)

    def test_fractions_of_integers_are_refused(self):
        for name in set(LIMITS) - {"cpu_cores"}:
            with self.subTest(name):
                self.assert_refused(with_limit(name, "20.5"), 400, f"limits.{name}")

    def test_the_smallest_that_is_accepted_works(self):
        """Whatever the range's lower end is, a job with it ends in a verdict, not in an error of Outrigger's."""
        for name in LIMITS:
            error = self.assert_refused(with_limit(name, "-1"), 400, f"limits.{name}")
            words = error["message"].split()
            least = words[words.index("from") + 1]
            with self.subTest(limit=name, least=least):
                self.assertNotEqual(self.execute(with_limit(name, least))["status"], "internal_error")

    def test_operators_may_raise_a_ceiling_only_in_the_configuration(self):
        self.assert_refused(with_limit("wall_time_ms", "5001"), 400, "limits.wall_time_ms")
