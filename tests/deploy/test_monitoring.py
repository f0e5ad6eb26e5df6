"""What deploy/ gives Prometheus and Grafana, against Prometheus's own checker and against a live auditor's page."""

import json
import re
import tempfile
import unittest

import yaml

from deploy.auditor import Auditor
from deploy.files import DEPLOY, source
from support.daemon import Daemon
from support.promtool import promtool

PROMETHEUS = DEPLOY / "prometheus"
DASHBOARD = DEPLOY / "grafana/crows-nest.json"
METRIC = re.compile(r"\b(?:crows_nest|outrigger|process|exposer)_[a-z_]+\b")
RECORDED = re.compile(r"\bcrows_nest:[a-z_:]+\b")


def rules():
    groups = yaml.safe_load((PROMETHEUS / "crows-nest.rules.yml").read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def alerts():
    return [rule for rule in rules() if "alert" in rule]


def rule_tests():
    return yaml.safe_load((PROMETHEUS / "crows-nest.rules.test.yml").read_text(encoding="utf-8"))["tests"]


def dashboard():
    return json.loads(DASHBOARD.read_text(encoding="utf-8"))


def panels():
    """Those that show something, those of folded rows among them."""
    for panel in dashboard()["panels"]:
        if panel["type"] != "row":
            yield panel
        yield from panel.get("panels", [])


def queries():
    for panel in panels():
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


def without_labels(expression):
    """An expression without its selectors and label lists, so that what is left of words are metrics and functions."""
    text = re.sub(r"\{[^{}]*\}", "", expression)
    return re.sub(r"\b(by|on|without|ignoring|group_left|group_right)\s*\([^()]*\)", "", text)


def names_of(expression):
    return set(METRIC.findall(without_labels(expression)))


class Rules(unittest.TestCase):
    def test_prometheus_takes_them(self):
        self.assertIn("SUCCESS", promtool("check", "rules", PROMETHEUS / "crows-nest.rules.yml"))
        promtool("check", "config", PROMETHEUS / "prometheus.yml")

    def test_fire_when_they_should_and_not_otherwise(self):
        promtool("test", "rules", PROMETHEUS / "crows-nest.rules.test.yml")

    def test_each_is_seen_firing_and_not_firing(self):
        seen = set()
        for test in rule_tests():
            for asked in test["promql_expr_test"]:
                name = re.search(r"alertname=\"(\w+)\"", asked["expr"]).group(1)
                seen.add((name, bool(asked["exp_samples"])))
        self.assertEqual(seen, {(alert["alert"], fires) for alert in alerts() for fires in (True, False)})

    def test_each_says_what_happened_and_what_to_do(self):
        for alert in alerts():
            self.assertIn(alert["labels"]["severity"], ("critical", "warning"))
            self.assertEqual(set(alert["annotations"]), {"summary", "description"})
            self.assertIn("{{ $labels.", alert["annotations"]["summary"], alert["alert"])
            self.assertGreater(len(alert["annotations"]["description"]), 80, alert["alert"])

    def test_every_rule_of_the_auditor_they_name_exists(self):
        known = set(re.findall(r"RuleKind k\w+\{\s*\"([a-z_]+)\"", source("src/rules/kinds.h")))
        (own, ) = re.findall(r"kOwnRules\{([^}]*)\}", source("src/witness/incidents.h"))
        known |= set(re.findall(r"\"([a-z_]+)\"", own))
        named = set()
        for rule in rules():
            for names in re.findall(r"\brule=~?\"([a-z_|]+)\"", rule["expr"]):
                named |= set(names.split("|"))
        self.assertGreaterEqual(len(named), 6)
        self.assertLessEqual(named, known)

    def test_both_programs_are_scraped_by_the_names_the_rules_know(self):
        scraped = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
        named = {job for rule in rules() for job in re.findall(r"\bjob=\"([a-z-]+)\"", rule["expr"])}
        self.assertEqual({job["job_name"] for job in scraped}, named)
        nodes = [target["labels"]["node"] for job in scraped for target in job["static_configs"]]
        self.assertEqual(len(set(nodes)), 1, "a daemon and its auditor are of one node")


class Dashboard(unittest.TestCase):
    def test_prometheus_takes_every_query(self):
        asked = [{"record": "asked", "expr": re.sub(r"\$__rate_interval", "5m", expression).replace("$node", ".*")}
                 for _, expression in queries()]
        self.assertGreater(len(asked), 20)
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            # A rule's labels may not be those of another: so many groups.
            json.dump({"groups": [{"name": f"g{i}", "rules": [one]} for i, one in enumerate(asked)]}, file)
            file.flush()
            promtool("check", "rules", "--lint=none", file.name)

    def test_panels_lie_beside_each_other(self):
        taken, ids = set(), set()
        for panel in dashboard()["panels"]:
            self.assertNotIn(panel["id"], ids)
            ids.add(panel["id"])
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24)
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertEqual(cells & taken, set(), panel["title"])
            taken |= cells

    def test_asks_the_data_source_that_is_chosen(self):
        variables = {one["name"]: one for one in dashboard()["templating"]["list"]}
        self.assertEqual(variables["datasource"]["type"], "datasource")
        for panel in panels():
            for each in (panel, *panel["targets"]):
                self.assertEqual(each["datasource"], {"type": "prometheus", "uid": "${datasource}"}, panel["title"])
            self.assertTrue(panel["description"].endswith("."), panel["title"])


class LivePage(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon())
        self.auditor = self.enterContext(Auditor(self.daemon))
        self.daemon.execute({"tenant_id": "deploy", "language": "bash", "code": "echo 1"})
        self.page = self.auditor.await_page(lambda page: 'ledger_lines_total{ledger="execution"} 1\n' in page)

    def test_is_as_prometheus_wants_it(self):
        promtool("check", "metrics", text=self.page)

    def test_has_every_metric_that_is_asked_for(self):
        there = set(re.findall(r"^# TYPE (\S+) ", self.page, re.MULTILINE))
        there |= set(re.findall(r"^# TYPE (\S+) ", self.daemon.request("GET", "/metrics").raw.decode(), re.MULTILINE))
        recorded = {rule["record"] for rule in rules() if "record" in rule}
        asked = [(rule.get("alert") or rule["record"], rule["expr"]) for rule in rules()] + list(queries())
        for title, expression in asked:
            self.assertLessEqual(names_of(expression), there, title)
            self.assertLessEqual(set(RECORDED.findall(expression)), recorded, title)

    def test_shows_nothing_that_the_dashboard_leaves_out(self):
        mine = set(re.findall(r"^# TYPE (crows_nest_\w+) ", self.page, re.MULTILINE))
        shown = set().union(*(names_of(expression) for _, expression in queries()))
        self.assertEqual(mine - shown, set())


if __name__ == "__main__":
    unittest.main()
