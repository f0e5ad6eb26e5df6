"""What the daemon says of itself: health, languages, its own description."""

import pathlib
import re
import tempfile
import threading

from api.base import LANGUAGES, ON_DEMAND, ApiTest, job, module_daemon, side_by_side
from api.results import FIELDS, LIMITS
from support.daemon import Daemon
from support.process import wait_until

setUpModule, tearDownModule = module_daemon()


class Health(ApiTest):
    def test_of_a_healthy_daemon(self):
        response = self.daemon.request("GET", "/health")
        self.assertEqual(response.status, 200)
        health = response.json
        self.assertLessEqual({"status", "reasons", "version", "cgroup", "runtimes", "pool", "dispatch"}, set(health))
        self.assertEqual((health["status"], health["reasons"]), ("ok", []))
        self.assertIn(health["cgroup"]["driver"], ("v1", "v2"))
        self.assertEqual({runtime["name"] for runtime in health["runtimes"] if runtime["available"]} - {*ON_DEMAND}, set(LANGUAGES))
        self.assertEqual({name: health["pool"][name]
                          for name in ("slots", "running", "waiting")}, {"slots": 16, "running": 0, "waiting": 0})
        self.assertFalse(health["dispatch"]["paused"])

    def test_counts_what_runs(self):
        self.assert_idle()
        thread = threading.Thread(target=side_by_side, args=(lambda _: self.run_code("bash", "sleep 1.5"), range(3), 3))
        thread.start()
        try:
            wait_until(lambda: self.daemon.health()["pool"]["running"] == 3, 10, "three run")
        finally:
            thread.join()
        self.assert_idle()

    def test_tells_nothing_private(self):
        """It needs no token, so it names no path, no tenant and no secret."""
        text = self.daemon.request("GET", "/health").raw.decode()
        self.assertNotIn(str(self.daemon.state_dir), text)

    def test_a_missing_image_is_said_and_met_by_no_job(self):
        """The daemon starts, says what is missing, and refuses jobs by name instead of failing oddly."""
        with tempfile.TemporaryDirectory(prefix="outrigger-test-") as empty, \
                Daemon(args=["--images-dir", empty], healthy=("degraded", "unready")) as daemon:
            health = daemon.health()
            reasons = " ".join(map(str, health["reasons"]))
            for language in LANGUAGES:
                self.assertIn(language, reasons)
            self.assertEqual([runtime for runtime in health["runtimes"] if runtime["available"]], [])
            self.assertEqual([lang for lang in languages_of(self, daemon) if lang["available"]], [])
            error = self.assert_error(daemon.execute(job("python", "print(1)")), (422, 503), field="language")
            self.assertIn("outrigger runtime build", error["message"])
            self.assertIn("outrigger runtime build", daemon.stderr_text())


def languages_of(test, daemon):
    response = daemon.request("GET", "/api/v1/languages")
    test.assertEqual(response.status, 200, response)
    return response.json["languages"]


class Languages(ApiTest):
    def test_lists_each_with_its_version(self):
        languages = {language["name"]: language for language in languages_of(self, self.daemon)}
        self.assertEqual(set(languages), {*LANGUAGES, *ON_DEMAND})
        for language in (languages[name] for name in LANGUAGES):
            self.assertLessEqual({"name", "aliases", "version", "available"}, set(language))
            self.assertTrue(language["available"])
            self.assertRegex(language["version"], r"\A\d")

    def test_the_version_is_the_one_that_runs(self):
        languages = {language["name"]: language for language in languages_of(self, self.daemon)}
        for name, code in (("python", "import platform\nprint(platform.python_version())"),
                           ("node", "console.log(process.versions.node)"), ("bash", "echo ${BASH_VERSION%%(*}")):
            runs = re.match(r"\d+\.\d+", self.run_code(name, code)["stdout"]).group()
            self.assertIn(runs, languages[name]["version"])

    def test_every_alias_runs(self):
        for language in languages_of(self, self.daemon):
            if language["name"] in ON_DEMAND:
                continue
            for alias in language["aliases"]:
                with self.subTest(alias):
                    code = {"python": "print('ok')", "node": "console.log('ok')", "bash": "echo ok"}[language["name"]]
                    result = self.run_code(alias, code)
                    self.assert_completed(result, "ok\n")
                    self.assertEqual(result["language"], language["name"])


class OpenApi(ApiTest):
    def document(self):
        response = self.daemon.request("GET", "/openapi.json")
        self.assertEqual(response.status, 200)
        return response.json

    def test_describes_every_route(self):
        document = self.document()
        self.assertRegex(document["openapi"], r"\A3\.1\.")
        methods = {
            path: {name
                   for name in item if name in ("get", "put", "post", "delete")}
            for path, item in document["paths"].items()
        }
        self.assertEqual(
            methods, {
                "/api/v1/execute": {"post"}, "/api/v1/interactive": {"get"}, "/health": {"get"}, "/api/v1/languages": {"get"},
                "/api/v1/dispatch": {"get", "put"}, "/openapi.json": {"get"}, "/metrics": {"get"},
                "/api/v1/runs": {"get"}, "/api/v1/runs/{job_id}": {"get", "delete"}, "/api/v1/jobs": {"post"}, "/api/v1/batch": {"post"},
                "/api/v1/jobs/{job_id}": {"get"}
            })

    def test_every_reference_leads_somewhere(self):
        document = self.document()

        def references(value):
            if isinstance(value, dict):
                yield from ([value["$ref"]] if "$ref" in value else [])
                for inner in value.values():
                    yield from references(inner)
            elif isinstance(value, list):
                for inner in value:
                    yield from references(inner)

        for reference in references(document):
            target = document
            for part in reference.removeprefix("#/").split("/"):
                self.assertIn(part, target, reference)
                target = target[part]

    def test_names_the_fields_that_are_really_answered(self):
        text = self.daemon.request("GET", "/openapi.json").raw.decode()
        for name in FIELDS | set(LIMITS):
            self.assertIn(f'"{name}"', text)
        for name in self.daemon.health():
            self.assertIn(f'"{name}"', text)

    def test_is_the_document_of_the_repository(self):
        file = pathlib.Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
        self.assertEqual(file.read_bytes().strip(), self.daemon.request("GET", "/openapi.json").raw.strip())
