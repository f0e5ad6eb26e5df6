"""The ways a daemon can run a program: each runtime as it is shipped, and by the strategies it is not shipped with."""

import dataclasses
import json
import tomllib

from support.process import REPOSITORY

RUNTIMES = REPOSITORY / "runtimes"

_LIMITS = """
# A machine that has more to do than this is no reason for a program to be killed.
[limits]
wall_time_ms = 60000
cpu_cores = 1.0
[ceilings]
wall_time_ms = 60000
cpu_cores = 1.0
"""
_NONE_PRIMED = "[pool]\nprimed_memory_bytes = 0\n"

# What says in a definition how its jails wait: all but these. A further strategy may bring keys of its own.
_COMMON_KEYS = {"name", "description", "aliases", "image", "packages", "source_file", "command", "env", "extra_syscalls",
                "primed_min", "primed_max", "start_variables"}
_STRATEGIES = {
    "exec": {},
    "preload-python": {"strategy": "preload", "prelude": "preludes/wait.py",
                       "prelude_path": "/tmp/home/.prelude/sitecustomize.py",
                       "prelude_env": {"PYTHONPATH": "/tmp/home/.prelude"}},
}


@dataclasses.dataclass
class Variant:
    """One way to run the programs of some languages. `strategy` replaces the one its only language is shipped with."""

    name: str
    languages: tuple
    primed: bool = True
    strategy: dict | None = None

    @property
    def config(self):
        return _LIMITS + ("" if self.primed else _NONE_PRIMED)

    def write_runtimes(self, directory):
        """The definitions this variant's daemon reads: a copy without other languages, which would only be in the way."""
        (directory / "preludes").mkdir()
        for file in (RUNTIMES / "preludes").iterdir():
            (directory / "preludes" / file.name).write_bytes(file.read_bytes())
        for language in self.languages:
            definition = load_definition(language)
            if self.strategy is not None:
                definition = {key: value for key, value in definition.items() if key in _COMMON_KEYS} | self.strategy
            (directory / f"{language}.toml").write_text(_as_toml(definition), "utf-8")


def load_definition(language):
    return tomllib.loads((RUNTIMES / f"{language}.toml").read_text("utf-8"))


def all_variants(languages):
    """What is run by default. A further way is a further line."""
    variants = [
        Variant("cold", languages, primed=False),
        Variant("primed", languages),
        Variant("python-exec", ("python", ), strategy=_STRATEGIES["exec"]),
        Variant("python-preload", ("python", ), strategy=_STRATEGIES["preload-python"]),
    ]
    return [one for one in variants if set(one.languages) <= set(languages) and not _is_shipped(one)]


def _is_shipped(variant):
    """Whether a strategy is the one its language has anyway: `primed` runs it already."""
    if variant.strategy is None:
        return False
    shipped = load_definition(variant.languages[0]).get("strategy", "exec")
    return variant.strategy.get("strategy", "exec") == shipped


def _as_toml(definition):
    """Strings, numbers and lists are written in TOML as they are in JSON; tables come last."""
    plain = [f"{key} = {json.dumps(value)}" for key, value in definition.items() if not isinstance(value, dict)]
    for key, table in definition.items():
        if isinstance(table, dict):
            plain += [f"[{key}]"] + [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    return "\n".join(plain) + "\n"
