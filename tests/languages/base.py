"""The ground of these tests: one daemon a module that knows the languages built on demand, and no others."""

from api.base import ApiTest
from languages.images import places
from support.daemon import Daemon


def languages_daemon(config="", **options):
    """setUpModule and tearDownModule for a module whose tests share a daemon."""
    def set_up():
        ApiTest.daemon = Daemon(config, args=places(), **options).__enter__()

    def tear_down():
        daemon, ApiTest.daemon = ApiTest.daemon, None
        daemon.__exit__(None, None, None)

    return set_up, tear_down
