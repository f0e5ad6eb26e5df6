#!/usr/bin/env python3
"""run_postgres.py [ARGUMENT]...

Starts a PostgreSQL server of its own and runs store_postgres_server_test against it, with the arguments (gtest's). The
test freezes, kills and starts the server through a socket: a line with the name of what is to happen, answered by "done".

  OUTRIGGER_BIN   the programs' directory (default build/bin)
"""

import os
import pathlib
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from support.postgres import PostgresServer  # noqa: E402
from support.process import program  # noqa: E402

_COMMANDS = ("start", "stop", "kill", "freeze", "thaw")


def make_control(server, path):
    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            command = self.rfile.readline().decode().strip()
            if command not in _COMMANDS:
                self.wfile.write(f"there is no {command}\n".encode())
                return
            try:
                getattr(server, command)()
                self.wfile.write(b"done\n")
            except Exception as error:  # the test is to say it
                self.wfile.write(f"{error}\n".encode())

    control = socketserver.UnixStreamServer(path, Handler)
    threading.Thread(target=control.serve_forever, daemon=True).start()
    return control


def main():
    test = program("store_postgres_server_test")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the server's directory is removed all the same
    with tempfile.TemporaryDirectory() as directory, PostgresServer() as server:
        path = os.path.join(directory, "control")
        control = make_control(server, path)
        environment = {**os.environ, "OUTRIGGER_TEST_POSTGRES": server.url, "OUTRIGGER_TEST_POSTGRES_CONTROL": path}
        status = subprocess.run([test, *sys.argv[1:]], env=environment, check=False).returncode
        control.shutdown()
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
