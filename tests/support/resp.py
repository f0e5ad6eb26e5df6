"""Commands to a Redis server: RESP 2, as much of it as tests need."""

import socket


class RedisError(Exception):
    """The server's own words: "WRONGPASS invalid username-password pair or user is disabled."."""


class RedisConnection:
    """One connection. Answers are str (latin-1 for bytes that are no UTF-8), int, None and lists of these."""
    def __init__(self, host, port, password, timeout=20):
        self._socket = socket.create_connection((host, port), timeout)
        self._file = self._socket.makefile("rb")
        self.command("AUTH", password)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._socket.close()

    def command(self, *args):
        parts = [arg if isinstance(arg, bytes) else str(arg).encode() for arg in args]
        self._socket.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts))
        return self.read()

    def read(self):
        """The next answer, or the next message of a subscription."""
        line = self._file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest.decode()
        if kind == b"-":
            raise RedisError(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"*":
            return None if rest == b"-1" else [self.read() for _ in range(int(rest))]
        if rest == b"-1":
            return None
        data = self._file.read(int(rest) + 2)[:-2]
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.decode("latin-1")
