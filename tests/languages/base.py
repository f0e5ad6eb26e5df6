"""The ground of these tests: one daemon a module that knows the languages built on demand, and no others."""

from api.base import module_daemon
from languages.images import places


def languages_daemon(config=""):
    """setUpModule and tearDownModule for a module whose tests share a daemon."""
    return module_daemon(config=config, args=places())
