"""The image with CPython's regression tests, and a runtime that is the shipped one in all but that."""

import pathlib
import re
import shutil
import subprocess
import tomllib

from support.process import REPOSITORY, program

RUNTIME = "python-regrtest"
_PACKAGE = "libpython3.11-testsuite"


class Image:
    def __init__(self, directory):
        self.runtimes_dir = directory / "runtimes"
        self.images_dir = directory / "images"
        self.tree = self.images_dir / RUNTIME
        self._write_definition()
        definition = tomllib.loads((self.runtimes_dir / f"{RUNTIME}.toml").read_text(encoding="utf-8"))
        self.command = definition["command"]
        self.source_file = definition["source_file"]
        self.environment = definition.get("env", {})

    def _write_definition(self):
        """The shipped python.toml under another name and with one more package; strategy and prelude stay its own."""
        shutil.rmtree(self.runtimes_dir, ignore_errors=True)
        self.runtimes_dir.mkdir(parents=True)
        shipped = REPOSITORY / "runtimes"
        shutil.copytree(shipped / "preludes", self.runtimes_dir / "preludes")
        text = (shipped / "python.toml").read_text(encoding="utf-8")
        packages = [*tomllib.loads(text)["packages"], _PACKAGE]
        changes = {"name": f'"{RUNTIME}"', "aliases": "[]", "image": f'"{RUNTIME}"', "packages": repr(packages)}
        for key, value in changes.items():
            text, found = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
            if found != 1:
                raise AssertionError(f"runtimes/python.toml says {found} times on one line what its {key} are")
        (self.runtimes_dir / f"{RUNTIME}.toml").write_text(text, encoding="utf-8")

    def build(self):
        """Half a minute where it is not there yet, nothing otherwise."""
        subprocess.run([program("outrigger"), "runtime", "build", RUNTIME, "--runtimes-dir", str(self.runtimes_dir),
                        "--images-dir", str(self.images_dir)], check=True, timeout=600)


def prepare_image(directory):
    image = Image(pathlib.Path(directory).resolve())
    image.build()
    return image
