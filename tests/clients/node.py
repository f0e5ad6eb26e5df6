"""npm's packages for these tests, and running a script that uses them."""

import json
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parents[1]
PLACE = pathlib.Path(os.environ.get("OUTRIGGER_BUILD", REPO / "build")) / "clients"
TYPESCRIPT = PLACE / "typescript"


def install():
    """The packages into PLACE, with the scripts beside them: a module is looked for from its importer's folder up."""
    install_packages(HERE, PLACE)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, PLACE)
    source = REPO / "clients" / "typescript"
    install_packages(source, TYPESCRIPT)
    for folder in ("src", "test", "dist", "build-test"):  # nothing of what has been removed there since stays
        shutil.rmtree(TYPESCRIPT / folder, ignore_errors=True)
    shutil.copytree(source, TYPESCRIPT, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("node_modules", "dist", "build-test"))


def install_packages(source, place):
    """What the lock file in `source` says into `place`/node_modules; nothing to do where it is there."""
    place.mkdir(parents=True, exist_ok=True)
    done = place / "installed-lock.json"
    wanted = (source / "package-lock.json").read_text(encoding="utf-8")
    if done.exists() and done.read_text(encoding="utf-8") == wanted:
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(source / name, place)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=place, check=True, timeout=300)
    done.write_text(wanted, encoding="utf-8")


def run(test, *command, cwd=PLACE, env=None, timeout=100):
    """What a command prints that must end well."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False,
                          env={**os.environ, **(env or {})})
    test.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def run_script(test, script, *args, env=None, timeout=100):
    """The JSON document that a script of this folder prints."""
    return json.loads(run(test, "node", PLACE / script, *args, env=env, timeout=timeout))


def bin_of(name, place=PLACE):
    """The program that an installed package brings."""
    return place / "node_modules" / ".bin" / name
