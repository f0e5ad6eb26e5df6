"""A small HTTP/1.1 client that shows what really came over the wire.

The standard client hides exactly what these tests are about: interim responses, bytes after the body, a connection
closed in the middle, JSON that only a lenient parser takes. This one is strict and keeps the raw bytes.
"""

import json
import math
import socket
import struct


class ProtocolError(AssertionError):
    """The peer did not speak HTTP/1.1, or not the JSON it announced."""


class Response:
    def __init__(self, status, headers, raw, reason=""):
        self.status = status
        self.reason = reason
        self.headers = headers  # names in lower case
        self.raw = raw
        self.json = None
        if raw and headers.get("content-type", "").split(";")[0].strip() == "application/json":
            self.json = strict_json(raw)

    def __repr__(self):
        return f"<Response {self.status} {self.reason} {self.headers} {self.raw[:400]!r}>"


def strict_json(raw):
    """Parses `raw` as RFC 8259 wants it written: UTF-8, finite numbers, no name twice, no lone surrogate."""
    def no_duplicates(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ProtocolError(f"a name occurs twice in {names}")
        return dict(pairs)

    def refuse_constant(text):
        raise ProtocolError(f"{text} is not JSON")

    def finite(text):
        number = float(text)
        if not math.isfinite(number):
            raise ProtocolError(f"{text} is not finite")
        return number

    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=no_duplicates, parse_constant=refuse_constant,
                           parse_float=finite)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (UnicodeError, ValueError) as error:
        raise ProtocolError(f"not strict JSON ({error}): {raw[:200]!r}") from error
    return value


def encode_body(body):
    """The bytes of a request's body: a dict becomes JSON, text UTF-8, bytes stay."""
    if body is None or isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode("utf-8")


def encode_request(method, target, body=None, headers=None, host="127.0.0.1"):
    """One request as bytes. A header of value None takes a default away."""
    payload = encode_body(body)
    fields = {"Host": host}
    if payload is not None:
        fields.update({"Content-Type": "application/json", "Content-Length": str(len(payload))})
    fields.update(headers or {})
    lines = [f"{method} {target} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in fields.items() if value is not None]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (payload or b"")


class Connection:
    """One TCP connection, written and read step by step."""
    def __init__(self, host, port, timeout=60.0):
        self.socket = socket.create_connection((host, port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        self.socket.sendall(data)

    def send_request(self, method, target, body=None, headers=None):
        self.send(encode_request(method, target, body, headers))

    def read_response(self, method="GET"):
        """The next response, an interim one (1xx) included."""
        status, reason, headers = self._read_head()
        if method == "HEAD" or status < 200 or status in (204, 304):
            return Response(status, headers, b"", reason)
        if "chunked" in headers.get("transfer-encoding", ""):
            return Response(status, headers, self._read_chunks(), reason)
        if "content-length" in headers:
            return Response(status, headers, self._read_exactly(int(headers["content-length"])), reason)
        return Response(status, headers, self._read_to_end(), reason)

    def read_response_or_end(self):
        """The next response, or None where the peer closes or resets without one."""
        try:
            if not self._buffer:
                self._fill()
        except (ConnectionError, ProtocolError):
            return None
        return self.read_response()

    def is_closed_by_peer(self, timeout=10.0):
        """Whether the peer closes, or resets, within `timeout` and sends nothing before it."""
        self.socket.settimeout(timeout)
        try:
            return not self._buffer and self.socket.recv(1) == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        """Closes with a RST, as a crashed client's kernel does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self.socket.close()

    def _read_head(self):
        head = self._read_until(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        version, _, rest = lines[0].partition(" ")
        code, _, reason = rest.partition(" ")
        if version not in ("HTTP/1.1", "HTTP/1.0") or not (code.isdigit() and len(code) == 3):
            raise ProtocolError(f"not a status line: {lines[0]!r}")
        headers = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon or name != name.strip() or name.lower() in headers:
                raise ProtocolError(f"a malformed or repeated header: {line!r}")
            headers[name.lower()] = value.strip()
        return int(code), reason, headers

    def _read_until(self, end):
        while end not in self._buffer:
            self._fill()
        found, _, self._buffer = self._buffer.partition(end)
        return found

    def _read_exactly(self, size):
        while len(self._buffer) < size:
            self._fill()
        found, self._buffer = self._buffer[:size], self._buffer[size:]
        return found

    def _read_chunks(self):
        body = b""
        while size := int(self._read_until(b"\r\n"), 16):
            body += self._read_exactly(size)
            self._read_exactly(2)
        self._read_until(b"\r\n")
        return body

    def _read_to_end(self):
        while data := self.socket.recv(65536):
            self._buffer += data
        found, self._buffer = self._buffer, b""
        return found

    def _fill(self):
        data = self.socket.recv(65536)
        if not data:
            raise ProtocolError(f"the connection was closed after {self._buffer[:200]!r}")
        self._buffer += data


def exchange(host, port, method, target, body=None, headers=None, timeout=60.0):
    """One request on a connection of its own; nothing may follow its response."""
    request = encode_request(method, target, body, {"Connection": "close", **(headers or {})}, host)
    with Connection(host, port, timeout) as connection:
        try:
            connection.send(request)
        except ConnectionError:
            pass  # refused before all was sent: the answer is what counts
        response = connection.read_response(method)
        if not connection.is_closed_by_peer():
            raise ProtocolError(f"asked to close, the peer kept the connection after {response!r}")
        return response
