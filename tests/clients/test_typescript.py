"""The client of clients/typescript: generated types that are current, a build without complaint, its own tests, the package."""

import json
import pathlib
import shutil
import tarfile
import tempfile
import unittest

from clients.node import REPO, TYPESCRIPT, bin_of, run
from support.daemon import Daemon

# An interpreter of its own: what the package brings, as those see it who installed it.
_STRANGER = """
import { Client, ApiError } from 'outrigger';
const result = await new Client(process.argv[2]).run('bash', 'echo packed');
console.log(JSON.stringify([result.stdout, typeof ApiError]));
"""


class Typescript(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon().__enter__()
        cls.url = f"http://127.0.0.1:{cls.daemon.port}"

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def compile(self, project):
        run(self, bin_of("tsc", TYPESCRIPT), "-p", project, cwd=TYPESCRIPT)

    def test_its_types_are_those_of_the_description(self):
        manifest = json.loads((TYPESCRIPT / "package.json").read_text(encoding="utf-8"))
        program, document, *options = manifest["scripts"]["generate"].split()
        self.assertEqual((options[-2:], document), (["-o", "src/schema.ts"], "../../docs/openapi.json"))
        with tempfile.TemporaryDirectory() as folder:
            fresh = pathlib.Path(folder) / "schema.ts"
            run(self, bin_of(program, TYPESCRIPT), REPO / "docs" / "openapi.json", *options[:-1], fresh, cwd=TYPESCRIPT)
            committed = (REPO / "clients" / "typescript" / "src" / "schema.ts").read_text(encoding="utf-8")
            self.assertEqual(fresh.read_text(encoding="utf-8"), committed,
                             "src/schema.ts is not current: run `npm run generate` in clients/typescript")

    def test_it_needs_nothing_at_run_time(self):
        manifest = json.loads((REPO / "clients" / "typescript" / "package.json").read_text(encoding="utf-8"))
        self.assertEqual({name for name in manifest if "ependencies" in name}, {"devDependencies"})

    def test_it_builds_and_its_tests_pass(self):
        self.compile("tsconfig.json")
        self.compile("tsconfig.test.json")
        files = sorted((TYPESCRIPT / "build-test").glob("*.test.js"))
        self.assertGreater(len(files), 3)
        told = run(self, "node", "--test", *files, cwd=TYPESCRIPT, env={"OUTRIGGER_URL": self.url}, timeout=150)
        self.assertRegex(told, r"pass \d\d")
        self.assertRegex(told, r"skipped 0\b")

    def test_its_package_works_alone(self):
        self.compile("tsconfig.json")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            packed = json.loads(run(self, "npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder,
                                    cwd=TYPESCRIPT))[0]
            names = {each["path"] for each in packed["files"]}
            self.assertLessEqual({"package.json", "README.md", "dist/index.js", "dist/index.d.ts", "dist/schema.d.ts"}, names)
            self.assertEqual({name for name in names if not name.startswith("dist/")}, {"package.json", "README.md"})
            with tarfile.open(folder / packed["filename"]) as archive:
                archive.extractall(folder)
            (folder / "node_modules").mkdir()
            shutil.move(folder / "package", folder / "node_modules" / "outrigger")
            (folder / "stranger.mjs").write_text(_STRANGER, encoding="utf-8")
            told = run(self, "node", folder / "stranger.mjs", self.url, cwd=folder)
            self.assertEqual(json.loads(told), ["packed\n", "function"])
