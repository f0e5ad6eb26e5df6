"""npm's packages for these tests, and running a script that uses them."""

import json
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parents[1]
PLACE = pathlib.Path(os.environ.get("OUTRIGGER_BUILD", REPO / "build")) / "clients"


def install():
    """The packages into PLACE, with the scripts beside them: a module is looked for from its importer's folder up."""
    PLACE.mkdir(parents=True, exist_ok=True)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, PLACE)
    done = PLACE / "installed-lock.json"
    wanted = (HERE / "package-lock.json").read_text(encoding="utf-8")
    if done.exists() and done.read_text(encoding="utf-8") == wanted:
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, PLACE)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=PLACE, check=True, timeout=300)
    done.write_text(wanted, encoding="utf-8")


def run_script(test, script, *args, env=None, timeout=100):
    """The JSON document that a script of this folder prints."""
    done = subprocess.run(["node", str(PLACE / script), *args], capture_output=True, text=True, timeout=timeout,
                          check=False, env={**os.environ, **(env or {})})
    test.assertEqual(done.returncode, 0, done.stderr)
    return json.loads(done.stdout)
