"""The images of the languages built on demand, in a place of their own: no other test's daemon shall keep jails of them."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import time
import tomllib

from support.process import REPOSITORY, program

LANGUAGES = ("c", "cpp", "go", "rust", "java", "ruby", "perl", "lua", "php")
DIRECTORY = pathlib.Path(
    os.environ.get("OUTRIGGER_LANGUAGES_DIR", pathlib.Path(program("outriggerd")).resolve().parents[1] / "languages"))
IMAGES = DIRECTORY / "images"
RUNTIMES = DIRECTORY / "runtimes"
_BUILD_SECONDS = 900


def definition(language):
    return tomllib.loads((REPOSITORY / "runtimes" / f"{language}.toml").read_text(encoding="utf-8"))


def write_runtimes():
    """Those definitions and no others."""
    shutil.rmtree(RUNTIMES, ignore_errors=True)
    RUNTIMES.mkdir(parents=True)
    for language in LANGUAGES:
        shutil.copy(REPOSITORY / "runtimes" / f"{language}.toml", RUNTIMES)


def places():
    """Arguments that make a daemon or a command use them."""
    return ["--runtimes-dir", str(RUNTIMES), "--images-dir", str(IMAGES)]


def _build(language):
    started = time.monotonic()
    built = subprocess.run([program("outrigger"), "runtime", "build", language, *places()], check=False,
                           capture_output=True, timeout=_BUILD_SECONDS)
    image = definition(language)["image"]
    if built.returncode != 0:
        print(f"image {image}: {built.stderr.decode(errors='replace')}", file=sys.stderr)
    else:
        print(f"image {image}: {time.monotonic() - started:.1f} s, {_size(IMAGES / image) >> 20} MiB", flush=True)
    return built.returncode == 0


def _size(tree):
    return int(subprocess.run(["du", "-s", "--block-size=1", tree], check=True, capture_output=True).stdout.split()[0])


def build_all():
    write_runtimes()
    first_of_image = {definition(language)["image"]: language for language in LANGUAGES}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return all(list(pool.map(_build, first_of_image.values())))
