#!/usr/bin/env python3
"""Starts a Redis server and runs build/bin/store_redis_server_test against it: `run_redis.py [GTEST ARGUMENT…]`.

The program asks for the server's outages over a socket (control_server() in server_test_support.h). Without arguments
it runs twice: against a server without persistence, and the part about vanished workers against one with it.
"""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from support.process import program  # noqa: E402
from support.redis import RedisServer  # noqa: E402


class Keeper(threading.Thread):
    """Does to the server what it is told: a verb a message, answered by "done" or by what went wrong."""
    VERBS = ("start", "stop", "kill", "freeze", "thaw")

    def __init__(self, server, path):
        super().__init__(daemon=True)
        self._server = server
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.bind(path)
        self._socket.listen()

    def run(self):
        while True:
            connection, _ = self._socket.accept()
            with connection:
                connection.send(self._obey(connection.recv(64).decode()).encode()[:256])

    def _obey(self, verb):
        if verb not in self.VERBS:
            return f"no verb: {verb}"
        try:
            getattr(self._server, verb)()
        except Exception as error:  # pylint: disable=broad-except
            return f"{type(error).__name__}: {error}"
        return "done"


def run(arguments, persistent):
    with tempfile.TemporaryDirectory(prefix="outrigger-keeper-") as home, RedisServer(persistent) as server:
        path = os.path.join(home, "control")
        Keeper(server, path).start()
        environment = {**os.environ, "OUTRIGGER_TEST_REDIS": server.url, "OUTRIGGER_TEST_REDIS_CONTROL": path}
        return subprocess.run([program("store_redis_server_test"), *arguments], env=environment, timeout=600,
                              check=False).returncode


def main(arguments):
    if arguments:
        return run(arguments, persistent=False)
    return (run(["--gtest_brief=1"], persistent=False)
            or run(["--gtest_brief=1", "--gtest_filter=RedisQueueRecovery.*"], persistent=True))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
