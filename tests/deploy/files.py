"""What lies in deploy/, read as the programs read it that it is for."""

import pathlib
import re

import yaml

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = REPOSITORY / "deploy"
KUBERNETES = DEPLOY / "kubernetes"


def source(path):
    return (REPOSITORY / path).read_text(encoding="utf-8")


def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def daemons():
    """The services of compose.yaml that are outriggerd, by name."""
    return {name: service for name, service in compose()["services"].items() if name.startswith("outrigger-")}


def documents():
    """Every object of kubernetes/, its file's name first."""
    for path in sorted(KUBERNETES.glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            yield path.name, document


def kubernetes(kind, name):
    found = [one for _, one in documents() if one["kind"] == kind and one["metadata"]["name"] == name]
    assert len(found) == 1, (kind, name, len(found))
    return found[0]


def pod():
    return kubernetes("DaemonSet", "outriggerd")["spec"]["template"]["spec"]


def container():
    return pod()["containers"][0]


def unit(name="outriggerd"):
    """The settings of a systemd unit; of one that is given twice the last."""
    text = (DEPLOY / f"systemd/{name}.service").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z]+)=(.*)$", text, re.MULTILINE))


def nodes_of(tree):
    """All keys and values of a tree of YAML, as pairs."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield key, value
            yield from nodes_of(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from nodes_of(value)
